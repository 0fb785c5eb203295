// Asks the offline model a question over records in an index, as the service does, and judges the answer.

import { fieldOfGroup, type Where } from '#contract/conditions.ts';
import { type FetchParams, recordsToAsk } from '#domain/evaluation/records-to-ask.ts';
import { type Found, isTrue, type Row } from '#domain/evaluation/truth.ts';
import { loadBearing } from '#models/load-bearing.ts';
import { filter } from '#models/offline/filter.ts';
import { plan } from '#models/offline/plan.ts';
import { readTriggers } from '#models/offline/triggers.ts';
import { understand } from '#models/offline/understand.ts';

import type { Asked } from './asked.ts';

export type Outcome = 'right' | 'honest' | 'wrong';

export interface Answer {
  /** Words that were not understood; null when the query was refused. */
  words: string[] | null;
  found: Found | null;
  /** Of the step that reads; none when the query was refused. */
  params: FetchParams;
  understanding_ms: number;
}

/** An index of the rows, and what answers questions over it. */
export function indexOf(rows: readonly Row[]): (query: string) => Answer {
  const { known, found } = recordsToAsk(rows);
  const types = [...new Set(rows.map(({ type }) => type))];
  return (query) => {
    const begun = performance.now();
    const asked = { query, ...known(query) };
    const verdict = understand({ ...asked, strict_mode: true }, readTriggers('').triggers);
    const understanding_ms = performance.now() - begun;
    const isRefused = verdict.verdict !== 'clear' || loadBearing(verdict.not_understood, types).length > 0;
    if (isRefused) return { words: null, found: null, params: {}, understanding_ms };
    const { steps } = plan({ ...asked, interpretation: verdict.interpretation });
    const kept = steps.find(({ kind }) => kind === 'filter')?.instructions;
    const read = steps.findLast(({ kind }) => kind === 'fetch' || kind === 'inject_context');
    const params: FetchParams = read?.params ?? {};
    const all = found(params);
    const result = kept === undefined ? all : keptOf(all, kept, params);
    const planned =
      kept === undefined
        ? params
        : { ...params, where: { and: [...(params.where ? [params.where] : []), sizeIn(kept)] } };
    return { words: verdict.not_understood, found: result, params: planned, understanding_ms };
  };
}

/** The groups that a filter keeps. */
function keptOf(all: Found, instructions: string, { group_by = [] }: FetchParams): Found {
  if (all.kind === 'records') return all;
  const items = all.groups.map(({ values, measures: [count] }, i) => ({
    ...{ id: String(i), type: 'group', name: values.join(' / ') },
    fields: {
      ...Object.fromEntries(group_by.map((grouped, k) => [fieldOfGroup(grouped), values[k] ?? null])),
      count: count ?? 0,
    },
  }));
  const { verdicts } = filter({ instructions, items });
  return { ...all, groups: all.groups.filter((_, i) => verdicts[i]?.keep) };
}

/** The condition on the size of groups that a filter's instructions state. */
function sizeIn(instructions: string): Where {
  const [, said = '', value = ''] = /count (.*?) ?(\d+)\./.exec(instructions) ?? [];
  const ops = {
    over: '>',
    under: '<',
    'of at least': '>=',
    'of at most': '<=',
    'of exactly': '=',
    'other than': '!=',
  } as const;
  const op = Object.entries(ops).find(([words]) => words === said)?.[1] ?? '=';
  return { field: 'count', op, value: Number(value) };
}

/**
 * Right; honest: it is refused, or names the words that would change the answer; or wrong without a word. A question that
 * no plan answers gives the words of which one is to be named; '' stands for any. `lost` are the load-bearing words that
 * are neither in the plan nor named.
 */
export function judge({ words, found }: Answer, [, , truth]: Asked, lost: readonly string[]): Outcome {
  if (words === null) return 'honest';
  if (typeof truth === 'string') {
    const named = words.join(' ').toLowerCase();
    const wanted = truth.toLowerCase().split('|');
    const isNamed = words.length > 0 && wanted.some((word) => named.includes(word));
    return isNamed && lost.length === 0 ? 'honest' : 'wrong';
  }
  const isRight = [truth].flat().some((right) => found !== null && isTrue(found, right));
  if (words.length > 0) return isRight || lost.length === 0 ? 'honest' : 'wrong';
  return isRight ? 'right' : 'wrong';
}
