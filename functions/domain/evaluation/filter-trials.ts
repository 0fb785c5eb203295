// The set `filter`: which items are what the instructions describe, by fields and by what only reading tells.
import type { ModelItem } from '#models/tasks/model-task.ts';
import { chunks } from '#platform/chunks.ts';
import { modelItems } from './records-to-ask.ts';
import { companies } from './sample-companies.ts';
import { tickets } from './sample-tickets.ts';
import { type Trial, tallyOf } from './trial.ts';
import type { Row } from './truth.ts';
import { verdictsOn } from './verdicts.ts';

const BATCH = 8;

const outsideEu = new Set(['United Kingdom', 'Norway', 'Switzerland', 'United States', 'Canada']);

const ofCompanies: Criteria<(typeof companies)[number]> = {
  'companies in Germany, Austria or Switzerland': ({ fields }) =>
    ['Germany', 'Austria', 'Switzerland'].includes(fields.country),
  'companies with more than 300 employees': ({ fields }) => fields.employees > 300,
  'companies founded before 2008': ({ fields }) => fields.founded_year < 2008,
  'companies that are listed': ({ fields }) => fields.listed,
  'companies with a revenue under 100 million USD': ({ fields }) => fields.revenue_musd < 100,
  'companies in energy, logistics or vehicles': ({ fields }) =>
    ['energy', 'logistics', 'vehicles'].includes(fields.industry),
  'companies whose country is no member of the European Union': ({ fields }) => outsideEu.has(fields.country),
};

const ofTickets: Criteria<(typeof tickets)[number]> = {
  'the customer wants money back': ({ topic }) => topic === 'refund',
  'the customer cannot sign in': ({ topic }) => topic === 'sign-in',
  'the customer is angry': ({ is_angry }) => is_angry,
  'the ticket names an order number': ({ order }) => order !== null,
  'something came broken, or has not come': ({ topic }) => topic === 'damage' || topic === 'delivery',
  'the ticket is not written in English': ({ language }) => language !== 'English',
};

type Criteria<T> = Readonly<Record<string, (row: T) => boolean>>;

export function filterTrials(): Trial[] {
  return [...trialsOf(companies, ofCompanies), ...trialsOf(tickets, ofTickets)];
}

function trialsOf<T extends Row>(rows: readonly T[], criteria: Criteria<T>): Trial[] {
  const items = modelItems(rows);
  return Object.entries(criteria).flatMap(([instructions, isDescribed]) => {
    const judged = items.map((item, i): [ModelItem, boolean] => {
      const row = rows[i];
      return [item, row !== undefined && isDescribed(row)];
    });
    return chunks(judged, BATCH).map((batch, i) => trial(instructions, batch, i));
  });
}

function trial(instructions: string, batch: [ModelItem, boolean][], index: number): Trial {
  return {
    ...{ set: 'filter', name: `${instructions}, part ${index + 1}`, answers: batch.length, calls: 1 },
    to_keep: batch.filter(([, stays]) => stays).length,
    run: async (ask) => {
      const verdicts = await verdictsOn(
        ask,
        instructions,
        batch.map(([item]) => item),
      );
      return tallyOf(batch.map(([, stays], i) => (verdicts[i]?.keep === stays ? 'right' : 'wrong')));
    },
  };
}
