// A run's retrieved records, as shown in its table.
import { expect } from 'vitest';
import type { Home } from './given.ts';
import { call } from './service.ts';
import * as then from './then.ts';
import { createsPlanRun } from './when.ts';

export interface Outcome {
  rows: Record<string, unknown>[];
  /** Names without links. */
  names: string[];
  columns: string[];
  truncated: { matched: number; returned: number } | undefined;
  message: string;
}

/** The outcome of a run that retrieves records and shows them all in a table. */
export async function outcomeOf(by: Home, step: Record<string, unknown>): Promise<Outcome> {
  const answer = { kind: 'reconstitute', params: { expected_artifacts: ['table'] } };
  const reply = await createsPlanRun(by, [step, answer]);
  expect(reply).toMatchObject({ status: 202 });
  const run = await then.ended(by, reply.body.id);
  expect(run).toMatchObject({ status: 'succeeded' });
  const { body } = await call('GET', `/artifacts/${run.artifacts[0].id}`, { key: by.key });
  return {
    rows: body.rows,
    names: body.rows.map(({ name }: { name: string }) => name.replace(/^\[(.*)\]\(.*\)$/, '$1')),
    columns: body.columns,
    truncated: run.warnings.find((one: { code: string }) => one.code === 'results_truncated')?.details,
    message: run.message,
  };
}

/** The outcome of a run with a single fetch. */
export const fetchedBy = (by: Home, params: Record<string, unknown>) =>
  outcomeOf(by, { kind: 'fetch', params });

/** Its groups without names. */
export const groupsOf = ({ rows }: Outcome) => rows.map(({ name: _, ...fields }) => fields);
