// The set `transform`: new fields of one item, copied, computed or read from it; null where it says nothing.
import type { Json } from '#contract/json.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import { modelItems } from './records-to-ask.ts';
import { companies } from './sample-companies.ts';
import { tickets } from './sample-tickets.ts';
import { type Trial, tallyOf } from './trial.ts';
import type { Row } from './truth.ts';

const YEAR = 2026;

/** What to write, and the true value of each field; null: the item does not say it. */
interface Wanted<T> {
  instructions: string;
  values(row: T): Record<string, Json>;
}

const ofCompanies: Wanted<(typeof companies)[number]>[] = [
  {
    instructions: `The city of the company, and how many years old it is in ${YEAR}.`,
    values: ({ fields }) => ({ city: fields.city, age_years: YEAR - fields.founded_year }),
  },
  {
    instructions:
      'The size of the company: small below 100 employees, large from 500 employees, else medium.',
    values: ({ fields: { employees } }) => ({
      size: employees < 100 ? 'small' : employees < 500 ? 'medium' : 'large',
    }),
  },
  {
    instructions: 'The country, and the name of the chief executive.',
    values: ({ fields }) => ({ country: fields.country, chief_executive: null }),
  },
];

const ofTickets: Wanted<(typeof tickets)[number]>[] = [
  {
    instructions: 'The order number that the text names, and the amount in euros that it names, as a number.',
    values: ({ order, amount_eur }) => ({ order_number: order, amount_eur }),
  },
  {
    instructions: 'What the ticket is about: one of refund, delivery, sign-in, damage, praise.',
    values: ({ topic }) => ({ topic }),
  },
];

export function transformTrials(): Trial[] {
  return [...trialsOf(companies, ofCompanies), ...trialsOf(tickets, ofTickets)];
}

/** Every fourth row, another one for each instruction. */
function trialsOf<T extends Row>(rows: readonly T[], wanted: Wanted<T>[]): Trial[] {
  const items = modelItems(rows);
  return wanted.flatMap(({ instructions, values }, k) =>
    rows.flatMap((row, i) => {
      const item = items[i];
      return item && i % 4 === k % 4 ? [trial(instructions, item, values(row))] : [];
    }),
  );
}

function trial(instructions: string, item: ModelItem, truth: Record<string, Json>): Trial {
  const output_fields = Object.keys(truth);
  return {
    ...{ set: 'transform', name: `${item.name}: ${instructions}`, answers: output_fields.length, calls: 1 },
    run: async (ask) => {
      const { fields } = await ask('transform', { instructions, item, output_fields });
      return tallyOf(Object.entries(truth).map(([name, value]) => judge(fields[name] ?? null, value)));
    },
  };
}

const NOTHING = /^(?:|-|n\/?a|none|null|unknown|not (?:given|known|named|stated|specified|available))\.?$/i;

/** Right; honest: none where there is one, or words for none; else wrong. */
function judge(written: Json, truth: Json): 'right' | 'honest' | 'wrong' {
  if (written === truth || (written !== null && truth !== null && spelled(written) === spelled(truth)))
    return 'right';
  return written === null || (typeof written === 'string' && NOTHING.test(written.trim()))
    ? 'honest'
    : 'wrong';
}

/** "59,90 €" and 59.9 are the same amount, "Refund" and "refund" the same topic. */
function spelled(value: Json): string {
  const text = String(value).trim().toLowerCase();
  const number = /^(?:€|eur)?\s*(\d+(?:[.,]\d+)?)\s*(?:€|eur|euros?|years?(?: old)?)?$/.exec(text)?.[1];
  return number === undefined ? text : String(Number(number.replace(',', '.')));
}
