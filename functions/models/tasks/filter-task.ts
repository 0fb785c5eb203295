// The task `filter`: judges one batch of at most 25 items.
import type { JsonObject } from '#contract/json.ts';
import { type AnswerSchema, flag, formOf, score } from './answer-schema.ts';
import { flagIn, listIn, memberIn, membersIn, numberIn, scoreIn, textIn } from './as-meant.ts';
import { fitItem, sizeOf } from './fit.ts';
import { defineTask, type ModelItem, shortened } from './model-task.ts';
import { ShortIds } from './short-ids.ts';

interface Input {
  instructions: string;
  items: ModelItem[];
}

interface Verdict {
  keep: boolean;
  score: number;
}

/** One verdict per item, in order; null where the model left one out. */
interface Output {
  verdicts: (Verdict | null)[];
}

const idsOf = (items: ModelItem[]) =>
  new ShortIds(
    items.map((_, position) => String(position)),
    'i',
  );

export const filter = defineTask<Input, Output>({
  prompt: [
    'Judge each item by itself, as if the others were not there. `verdicts` has one verdict for each item, under its id:',
    '- `score`: how well it fits the request: 0 no, 1 partly, 2 yes, 3 exactly.',
    '- `keep`: true when it is what the request describes.',
    'For example, asked for "fintech in Germany": {"industry":"payments","city":"Berlin"} is {"score":2,"keep":true},',
    '{"industry":"steel","city":"Berlin"} is {"score":1,"keep":false}.',
  ].join('\n'),
  shown: ({ instructions, items }) => {
    const ids = idsOf(items).all;
    return {
      data: { items: items.map(({ id: _, ...item }, i) => ({ id: ids[i], ...item })) },
      request: { instructions },
    };
  },
  answerFor({ items }): AnswerSchema {
    const verdict = formOf({ score, keep: flag });
    return formOf({ verdicts: formOf(Object.fromEntries(idsOf(items).all.map((id) => [id, verdict]))) });
  },
  judge(answer, { items }) {
    const given = verdictsIn(memberIn(answer, 'verdicts') ?? answer, items);
    const verdicts = items.map((_, position) => given.get(position) ?? null);
    return verdicts.some((verdict) => verdict !== null)
      ? { verdicts }
      : `There must be one verdict for each item: ${idsOf(items).all.join(', ')}.`;
  },
  halved({ instructions, items }) {
    const [only] = items;
    if (!only) return undefined;
    if (items.length === 1) {
      const { item } = fitItem(only, sizeOf(only) / 2);
      return shortened({ instructions, items: [item] }, { left_out: 1, of: 1 });
    }
    const middle = Math.ceil(items.length / 2);
    return {
      inputs: [items.slice(0, middle), items.slice(middle)].map((half) => ({ instructions, items: half })),
      joined: (outputs) => ({ verdicts: outputs.flatMap(({ verdicts }) => verdicts) }),
      left_out: 0,
      of: items.length,
    };
  },
});

/** The verdicts by position of the item. An item that is judged in two ways is not judged. */
function verdictsIn(given: unknown, items: ModelItem[]): Map<number, Verdict> {
  const found = new Map<number, Verdict>();
  const contradicted = new Set<number>();
  for (const { position, verdict } of Array.isArray(given) ? listed(given, items) : named(given, items)) {
    const read = verdictIn(verdict);
    if (position === undefined || !read) continue;
    const known = found.get(position);
    if (known && known.keep !== read.keep) contradicted.add(position);
    found.set(position, known ?? read);
  }
  for (const position of contradicted) found.delete(position);
  return found;
}

interface Placed {
  position: number | undefined;
  verdict: JsonObject;
}

const named = (given: unknown, items: ModelItem[]): Placed[] =>
  Object.entries(membersIn(given)).map(([id, verdict]) => ({
    position: positionOf(id, items),
    verdict: membersIn(verdict),
  }));

/** Verdicts in a list have an index, which may count from 1, or an id; else they are in order, if none is missing. */
function listed(given: unknown[], items: ModelItem[]): Placed[] {
  const verdicts = listIn(given).map(membersIn);
  const indexes = verdicts.map((verdict) => numberIn(memberIn(verdict, 'index')));
  const first = indexes.includes(items.length) && !indexes.includes(0) ? 1 : 0;
  return verdicts.map((verdict, i) => {
    const index = indexes[i];
    const id = textIn(memberIn(verdict, 'id'));
    const inOrder = verdicts.length === items.length ? i : undefined;
    const named = id === '' ? inOrder : positionOf(id, items);
    return { position: index === undefined ? named : index - first, verdict };
  });
}

function positionOf(id: string, items: ModelItem[]): number | undefined {
  const position = idsOf(items).real(id);
  return position === undefined ? undefined : Number(position);
}

function verdictIn(verdict: JsonObject): Verdict | undefined {
  const keep = flagIn(memberIn(verdict, 'keep'));
  if (keep === undefined) return undefined;
  return { keep, score: scoreIn(memberIn(verdict, 'score')) ?? (keep ? 2 / 3 : 0) };
}
