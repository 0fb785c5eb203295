// What a workspace answers from its record index: by reads, and by runs of each way to read records.
import { isDeepStrictEqual } from 'node:util';
import type { Home } from '../../support/given.ts';
import { call } from '../../support/service.ts';
import * as when from '../../support/when.ts';
import { logToItsEnd } from '../work.ts';

/** Answers by the name of their question. */
type Answers = Readonly<Record<string, unknown>>;

const questions: Readonly<Record<string, Record<string, unknown>>> = {
  'records of a revision': { source: 'companies', where: { field: 'revision', op: '=', value: 'new' } },
  groups: { source: 'companies', group_by: ['revision'] },
  order: { source: 'companies', sort: [{ field: 'name' }], limit: 5 },
};
const nearest = { query: 'Company new 1', source: 'companies', limit: 5 };

/** The answers of requests, which runs that wait do not delay. */
export async function answersOfReads(home: Home): Promise<Answers> {
  const read = async (path: string) => (await call('GET', path, home)).body;
  return {
    types: withoutSamples(await read('/entities/types')),
    'names of new records': await read('/entities?query=new'),
    'the name of a record that was deleted': await read('/entities?query=Synced'),
  };
}

/** Types and fields; which values are shown of a field depends on the order in which its index was built. */
const withoutSamples = (types: unknown): unknown =>
  JSON.parse(JSON.stringify(types, (name, value) => (name === 'samples' ? undefined : value)));

/** The answers of requests and of runs. */
export async function answersOf(home: Home): Promise<Answers> {
  const asked = Object.entries(questions).map(([name, params]) => [name, { kind: 'fetch', params }] as const);
  const all = [...asked, ['nearest', { kind: 'vector_search', params: nearest }] as const];
  const runs = await Promise.all(
    all.map(async ([name, step]) => [name, await messageOf(home, step)] as const),
  );
  return { ...(await answersOfReads(home)), ...Object.fromEntries(runs) };
}

async function messageOf(home: Home, step: Record<string, unknown>): Promise<unknown> {
  const { status, body } = await when.createsPlanRun(home, [step]);
  if (status !== 202) throw new Error(JSON.stringify(body));
  const { id } = body;
  await logToItsEnd(home, id);
  return (await when.readsRun(home, id)).message;
}

/** The questions of `asked` that have another answer in `known`. */
export const differing = (asked: Answers, known: Answers): string[] =>
  Object.keys(asked).filter((name) => !isDeepStrictEqual(asked[name], known[name]));
