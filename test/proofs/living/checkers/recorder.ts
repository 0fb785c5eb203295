// Records what clients see of runs, and workers of jobs: each operation with the time of its call and of its return, and whether it was
// done (ok), refused (fail) or may have been done (unknown). The checker in Go reads the lines.
import { createHash } from 'node:crypto';
import type { HttpReply } from '../../../support/service.ts';
import type { Asked, Watch } from '../../ask.ts';

/** A run as an envelope shows it. */
interface Seen {
  run: string;
  /** The idempotency key in its metadata; empty for a rerun, which has the metadata of its source. */
  key: string;
  status: string;
  /** Steps that are completed or skipped. */
  done: number;
}

export interface Operation {
  client: number;
  kind: string;
  /** The run that it names; of a rerun, its source. */
  run?: string;
  job?: string;
  key?: string;
  body?: string;
  /** Monotonic, microseconds. */
  call: number;
  return: number;
  outcome: 'ok' | 'fail' | 'unknown';
  status: number;
  code?: string;
  reason?: string;
  /** The status in the details of a refusal, or of a job. */
  found?: string;
  /** Whether a message is the one that ended its job. */
  accepted?: boolean;
  /** The run that has the key of a refused create. */
  original?: string;
  replayed?: boolean;
  seen?: Seen[];
  log?: { sequence: number; type: string }[];
  /** Webhooks of the run, and those of them that are delivered. */
  ends?: number;
  delivered?: number;
}

export interface Recorder {
  watch: Watch;
  operations: Operation[];
}

/** An empty history. */
export function createRecorder(): Recorder {
  const operations: Operation[] = [];
  const busy = new Set<number>();
  return {
    operations,
    async watch(asked, send) {
      const named = nameOf(asked);
      if (!named) return send();
      // A history has as many clients as requests at once.
      let client = 0;
      while (busy.has(client)) client += 1;
      busy.add(client);
      const call = microseconds();
      const record = (rest: Pick<Operation, 'outcome' | 'status'> & Partial<Operation>) =>
        void operations.push({ client, ...named, call, return: microseconds(), ...rest });
      try {
        const answered = await send();
        if (isWhole(named.kind, answered)) record(seenIn(named.kind, answered));
        return answered;
      } catch (error) {
        if (!wasRefused(error)) record({ outcome: 'unknown', status: 0 });
        throw error;
      } finally {
        busy.delete(client);
      }
    },
  };
}

const microseconds = () => Math.floor(performance.now() * 1000);

/** Whether no connection was made: the request never reached the service. */
export function wasRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

const verbs: Readonly<Record<string, string>> = {
  'GET ': 'get',
  'DELETE ': 'delete',
  'POST cancel': 'cancel',
  'POST resume': 'resume',
  'POST rerun-from': 'rerun',
  'GET events': 'events',
  'GET webhook-deliveries': 'deliveries',
};

/** Of a job; its run is the first part of its name. */
const jobVerbs: Readonly<Record<string, string>> = {
  'GET ': 'job get',
  'POST progress': 'job progress',
  'POST items': 'job items',
  'POST complete': 'job complete',
  'POST fail': 'job fail',
};
const RUN_CHARACTERS = 36;

let unkeyed = 0;

/** What a request is in a history; undefined for what the rules of reads do not name (rules.md: reads 10, reads 11). */
function nameOf({
  method,
  path,
  body,
  idempotency_key,
}: Asked): Pick<Operation, 'kind' | 'run' | 'job' | 'key' | 'body'> | undefined {
  const { pathname, searchParams } = new URL(path, 'http://service');
  const [, runs, run, verb = ''] = pathname.split('/');
  if (runs === 'jobs' && run !== undefined) {
    const kind = jobVerbs[`${method} ${verb}`];
    return kind === undefined ? undefined : { kind, job: run, run: run.slice(0, RUN_CHARACTERS) };
  }
  if (runs !== 'runs' || ['cursor', 'keep-open', 'status'].some((name) => searchParams.has(name)))
    return undefined;
  if (run === undefined && method === 'GET') return { kind: 'list' };
  const kind = run === undefined ? 'create' : verbs[`${method} ${verb}`];
  if (kind === undefined) return undefined;
  if (kind !== 'create' && kind !== 'rerun') return { kind, run };
  unkeyed += 1;
  const key =
    idempotency_key === undefined ? `${kind} without a key ${unkeyed}` : `${kind} ${idempotency_key}`;
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 8);
  return { kind, key, body: hash, ...(run !== undefined && { run }) };
}

/** Part of a log or of a list says nothing of what it leaves out. */
const isWhole = (kind: string, { status, body }: HttpReply) =>
  status !== 200 || (kind !== 'events' && kind !== 'list') || body.has_more === false;

function seenIn(kind: string, { status, headers, body }: HttpReply) {
  if (status >= 500 || status === 408) return { outcome: 'unknown', status } as const;
  if (status >= 400) {
    const { code, details } = body.error;
    const { reason, status: found, original_run_id: original } = details ?? {};
    return { outcome: 'fail', status, code, reason, found, original } as const;
  }
  const replayed = headers.get('idempotency-replayed') === 'true';
  return { outcome: 'ok', status, replayed, ...shownIn(kind, body) } as const;
}

function shownIn(kind: string, body: HttpReply['body']): Partial<Operation> {
  if (kind === 'delete') return {};
  if (kind.startsWith('job ')) return { found: body.status, accepted: body.accepted };
  if (kind === 'list') return { seen: body.data.map(seenOf) };
  if (kind === 'deliveries') {
    const delivered = body.data.filter((one: { status: string }) => one.status === 'delivered');
    return { ends: body.data.length, delivered: delivered.length };
  }
  if (kind !== 'events') return { seen: [seenOf(body)] };
  return {
    log: body.data.map((event: { sequence: number; event_type: string }) => ({
      sequence: event.sequence,
      type: event.event_type,
    })),
  };
}

interface Envelope {
  id: string;
  status: string;
  steps: { status: string }[];
  metadata?: Record<string, string>;
  rerun_of?: object;
}

function seenOf({ id, status, steps, metadata, rerun_of }: Envelope): Seen {
  const own = rerun_of === undefined ? metadata?.key : undefined;
  const done = steps.filter((step) => step.status === 'completed' || step.status === 'skipped').length;
  return { run: id, key: own === undefined ? '' : `create ${own}`, status, done };
}
