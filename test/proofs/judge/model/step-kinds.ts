// Runs of every kind of step on a service with the real model: each succeeds or fails with a cause that a person
// understands, and reports the usage that the server counted, to the token.
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { ServiceProcess } from '../../living/service-process.ts';
import type { LoggingProxy } from './logging-proxy.ts';

const RUN_MS = 240_000;
const LOOK_MS = 500;
/** Records are embedded in the background; usage is compared when that has ended. */
const QUIET_MS = 2_000;

const Failure = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z
    .looseObject({
      cause: z.string().optional(),
      provider: z.looseObject({ message: z.string() }).optional(),
      reason: z.string().optional(),
    })
    .nullish(),
});
const Run = z.looseObject({
  id: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  errors: z.array(Failure).default([]),
  usage: z.looseObject({ calls: z.number(), input_tokens: z.number(), output_tokens: z.number() }),
});
type Run = z.infer<typeof Run>;

export interface KindResult {
  name: string;
  status: string;
  /** Why it failed or was refused. */
  cause: string | undefined;
  seconds: number;
  calls: number;
  breaches: string[];
}

interface Servers {
  chat: LoggingProxy;
  embedding?: LoggingProxy;
}

/** A run of steps over the demo's companies. */
function plan(...steps: { kind: string; instructions?: string; params?: object }[]): object {
  return {
    input_type: 'plan',
    plan: {
      title: 'Companies',
      steps: steps.map((step, index) => ({ index, title: step.kind, params: {}, ...step })),
    },
  };
}

const some = { kind: 'fetch', params: { entity_types: ['company'], limit: 4 } };

/** A run for each kind of step. */
const kinds: Readonly<Record<string, object>> = {
  query: { input_type: 'query', query: 'Which companies are in Berlin?' },
  fetch: plan(some),
  inject_context: plan({ kind: 'inject_context', params: { text: 'The market grows.' } }),
  vector_search: plan({ kind: 'vector_search', params: { query: 'clean power', limit: 3 } }),
  filter: plan(some, { kind: 'filter', instructions: 'companies in Germany' }),
  transform: plan(some, {
    kind: 'transform',
    instructions: 'A slogan.',
    params: { output_fields: ['slogan'] },
  }),
  analyze: plan(some, { kind: 'analyze', instructions: 'Compare them.' }),
  discover: plan(some, { kind: 'discover', instructions: 'Find partners.', params: { limit: 3 } }),
  reconstitute: plan(some, {
    kind: 'reconstitute',
    instructions: 'Compare them.',
    params: { expected_artifacts: ['table', 'Comparison'] },
  }),
  'answer as data': {
    ...plan(some, { kind: 'reconstitute', instructions: 'List them.' }),
    output_schema: {
      type: 'object',
      properties: {
        companies: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
      },
      required: ['companies'],
    },
  },
};

/** The runs, and a dossier on a record of the demo. */
async function runsOf(service: ServiceProcess): Promise<Record<string, object>> {
  const { data } = await service.call<{ data: { entity_id: string }[] }>(
    'GET',
    '/entities?type=company&limit=1',
  );
  const params = { entity: { id: data[0]?.entity_id }, sections: ['Overview'] };
  return { ...kinds, dossier: { input_type: 'preset', preset: 'dossier', params } };
}

/** Runs every kind of step; `only` names some. `over` ends what is under way. */
export async function runKinds(
  service: ServiceProcess,
  servers: Servers,
  over: AbortSignal,
  only?: readonly string[],
): Promise<KindResult[]> {
  const results: KindResult[] = [];
  for (const [name, body] of Object.entries(await runsOf(service))) {
    if (only && !only.includes(name)) continue;
    over.throwIfAborted();
    const result = await runOne(name, body, service, servers);
    process.stderr.write(`${name}: ${result.status} in ${result.seconds} s\n`);
    results.push(result);
  }
  return results;
}

async function runOne(
  name: string,
  body: object,
  service: ServiceProcess,
  { chat, embedding }: Servers,
): Promise<KindResult> {
  if (embedding) await quiet(embedding);
  const logs = [chat.log, ...(embedding ? [embedding.log] : [])];
  const from = logs.map(({ length }) => length);
  const begun = Date.now();
  const created = await service.ask({ method: 'POST', path: '/runs', body, timeout_ms: RUN_MS });
  const seconds = () => Math.round((Date.now() - begun) / 100) / 10;
  if (created.status >= 300) {
    const { error } = z.looseObject({ error: Failure }).parse(created.body);
    const refused = { name, status: `refused ${created.status}`, cause: causeOf(error), calls: 0 };
    return { ...refused, seconds: seconds(), breaches: unclear(name, error) };
  }
  const run = await ended(Run.parse(created.body).id, service);
  // Asking for the models and their contexts is no call of one.
  const replies = logs
    .flatMap((log, i) => log.slice(from[i]))
    .filter(({ path, status }) => status === 200 && !path.endsWith('/models'));
  const failure = run.errors.at(-1);
  return {
    ...{
      name,
      status: run.status,
      cause: failure && causeOf(failure),
      seconds: seconds(),
      calls: run.usage.calls,
    },
    breaches: [
      ...(run.status === 'succeeded'
        ? []
        : failure
          ? unclear(name, failure)
          : [`${name}: ${run.status} without an error`]),
      ...miscounted(name, run, replies),
    ],
  };
}

async function ended(id: string, service: ServiceProcess): Promise<Run> {
  for (const end = Date.now() + RUN_MS; ; await wait(LOOK_MS)) {
    const run = Run.parse(await service.call('GET', `/runs/${id}`));
    if (['succeeded', 'failed', 'canceled'].includes(run.status)) return run;
    if (Date.now() > end) return run;
  }
}

async function quiet({ log }: LoggingProxy): Promise<void> {
  for (let before = -1; before !== log.length; await wait(QUIET_MS)) before = log.length;
}

const causeOf = ({ code, message, details }: z.infer<typeof Failure>): string =>
  [code, details?.cause, details?.reason, message, details?.provider?.message].filter(Boolean).join(': ');

/** Codes whose cause is the model. */
const CODES = [
  'model_unavailable',
  'model_refused',
  'model_answer_unusable',
  'query_ambiguous',
  'entity_ambiguous',
  'output_invalid',
  'upstream_timeout',
];

/** What a person could not make anything of. */
function unclear(name: string, { code, message, details }: z.infer<typeof Failure>): string[] {
  const saysWhy = details?.cause ?? details?.reason ?? (code === 'output_invalid' ? code : undefined);
  return [
    ...(CODES.includes(code) ? [] : [`${name}: the code ${code} says nothing of the model`]),
    ...(/\s.*\s/.test(message) && !/\w+(?:Error|Exception)\b/.test(message)
      ? []
      : [`${name}: the message "${message}"`]),
    ...(code.startsWith('model_') && saysWhy === undefined ? [`${name}: ${code} has no cause`] : []),
  ];
}

/** Where the usage of the run is not what the servers reported. */
function miscounted(name: string, { usage }: Run, replies: LoggingProxy['log']): string[] {
  const sum = (part: (reply: LoggingProxy['log'][number]) => number) =>
    replies.reduce((total, reply) => total + part(reply), 0);
  const counted = [replies.length, sum((one) => one.input_tokens), sum((one) => one.output_tokens)];
  const reported = [usage.calls, usage.input_tokens, usage.output_tokens];
  return counted.join() === reported.join()
    ? []
    : [`${name}: usage ${reported.join('/')}, the server's log ${counted.join('/')} (calls/input/output)`];
}
