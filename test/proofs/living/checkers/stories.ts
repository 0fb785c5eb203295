// Histories of one run, or of one of its jobs, that are possible, and some that are not: the checker must know one from
// the other.
import type { Operation } from './recorder.ts';

type Part = Partial<Operation> & Pick<Operation, 'kind'>;

/** Operations of one run, one after the other, those that are not said to be refused or unknown being done. */
const story = (...parts: Part[]): Operation[] =>
  parts.map((one, i) => ({
    client: 0,
    call: 10 * i,
    return: 10 * i + 5,
    outcome: 'ok',
    status: 200,
    ...(one.kind === 'create' ? { key: 'create k', body: 'b' } : { run: 'r' }),
    ...(one.kind.startsWith('job ') && { job: 'r-0-0-1' }),
    ...one,
  }));

const sees = (status: string, done = 0, run = 'r') => ({ seen: [{ run, key: 'create k', status, done }] });
const absent = { outcome: 'fail', status: 404, code: 'run_not_found' } as const;
const create = { kind: 'create', ...sees('pending') };
const get = (status: string, done = 0) => ({ kind: 'get', ...sees(status, done) });
const deletes = { kind: 'delete', status: 204 };
const cancel = (status: string, done = 0) => ({ kind: 'cancel', ...sees(status, done) });
const events = (...types: string[]) => ({
  kind: 'events',
  log: types.map((type, i) => ({ sequence: i + 1, type: `run.${type}` })),
});

const job = (verb: string, rest: Partial<Operation> = {}): Part => ({ kind: `job ${verb}`, ...rest });
const completes = job('complete', { accepted: true });
const isOver = (found: string) => ({ outcome: 'fail', status: 409, code: 'job_over', found }) as const;
const ofDeleted = { outcome: 'fail', status: 404, code: 'job_not_found' } as const;

const possible: Readonly<Record<string, Operation[]>> = {
  'the engine works between two reads': story(create, get('pending'), get('succeeded', 2)),
  'a create without an answer happened': story({ kind: 'create', outcome: 'unknown' }, get('running')),
  'a create without an answer did not happen': story(
    { kind: 'create', outcome: 'unknown' },
    { kind: 'list', run: '', seen: [] },
    create,
  ),
  'a failed run is resumed, canceled and deleted': story(
    create,
    get('failed', 1),
    { kind: 'resume', ...sees('pending', 1) },
    events('created', 'failed'),
    cancel('canceled', 1),
    events('created', 'failed', 'canceled'),
    deletes,
    { kind: 'get', ...absent },
    { ...create, ...sees('pending', 0, 'r2') },
  ),
  'a job is worked on, completed, and completed again': story(
    create,
    job('progress'),
    job('items'),
    job('get', { found: 'open' }),
    completes,
    job('complete', { accepted: false }),
    job('fail', isOver('completed')),
    get('succeeded', 1),
  ),
  'a completion without an answer ended the job': story(
    create,
    job('complete', { outcome: 'unknown' }),
    job('complete', { accepted: false }),
  ),
  'a job is closed, and its run deleted': story(
    create,
    job('progress'),
    cancel('canceled'),
    job('complete', isOver('canceled')),
    deletes,
    job('complete', ofDeleted),
  ),
};

const impossible: Readonly<Record<string, Operation[]>> = {
  'an older state comes after a newer one': story(create, get('running'), get('pending')),
  'a finished step is open again': story(create, get('running', 2), get('running', 1)),
  'a key makes a second run': story(create, { ...create, ...sees('pending', 0, 'r2') }),
  'a canceled run succeeds': story(create, cancel('canceled'), get('succeeded')),
  'an acknowledged run is gone': story(create, { kind: 'get', ...absent }),
  'a list lacks a run': story(create, { kind: 'list', run: '', seen: [] }),
  'a run that did not fail is resumed': story(create, get('succeeded'), {
    kind: 'resume',
    ...sees('pending'),
  }),
  'a deleted run is seen again': story(create, get('succeeded'), deletes, get('succeeded')),
  'a run is deleted twice': story(create, get('succeeded'), deletes, deletes),
  'a log is shorter than before': story(
    create,
    events('created', 'started', 'x'),
    events('created', 'started'),
  ),
  'a log has a gap': story(create, {
    kind: 'events',
    log: [
      { sequence: 1, type: 'run.created' },
      { sequence: 3, type: 'run.succeeded' },
    ],
  }),
  'the end of a log is missing': story(create, get('succeeded'), events('created', 'started')),
  'two messages end a job': story(create, completes, completes),
  'a job is completed after it has failed': story(create, job('fail', { accepted: true }), completes),
  'a page comes after the end': story(create, completes, job('items')),
  'a job is closed after its completion': story(create, completes, job('items', isOver('timed_out'))),
  'a completion that was taken is gone': story(create, completes, job('get', { found: 'open' })),
  'a job takes a result after the end of its run': story(create, job('progress'), get('failed'), completes),
  'a message of a deleted run is taken': story(
    create,
    completes,
    get('succeeded', 1),
    deletes,
    { kind: 'get', ...absent },
    job('complete', { accepted: false }),
  ),
  'an end has no webhook': story(create, get('succeeded'), { kind: 'deliveries', ends: 0, delivered: 0 }),
};

/** All of them, and whether each can have happened. */
export const stories: readonly { name: string; operations: Operation[]; is_possible: boolean }[] = [
  ...Object.entries(possible).map(([name, operations]) => ({ name, operations, is_possible: true })),
  ...Object.entries(impossible).map(([name, operations]) => ({ name, operations, is_possible: false })),
];
