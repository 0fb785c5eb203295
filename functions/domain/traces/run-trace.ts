// The trace of a run: made from its state, its log, its journal and its deliveries whenever someone asks (rules.md:
// traces).
import { spanKinds, type Trace } from '#contract/traces.ts';
import { optionalEnv } from '#platform/env.ts';
import { attemptSpanId, runTraceOf, spanId } from '#platform/trace-context.ts';
import { type DeliveryRecord, list as listDeliveries } from '#store/runs/deliveries.ts';
import { type LoggedCommit, readCommits } from '#store/runs/events.ts';
import { type JournaledTries, readTries } from '#store/runs/journal.ts';
import type { ModelTry, TracedCalls } from '#store/runs/model-tries.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { attributesOf, type SpanFacts, spanOf } from './spans.ts';
import { stepAttempts } from './step-attempts.ts';

const SERVICE = 'run-service';
const OFFLINE = 'offline';

/** The trace so far. Asking again gives the same spans with the same ids. */
export async function traceOfRun(run: RunRecord): Promise<Trace> {
  const [commits, journal, deliveries] = await Promise.all([
    readCommits(run),
    readTries({ workspace_id: run.workspace_id, run_id: run.id }),
    listDeliveries(run.workspace_id, run.id),
  ]);
  const calls = [
    ...commits.flatMap((commit) => loggedCalls(run, commit)),
    ...journal.flatMap((one) => journaledCalls(run, one)),
  ];
  const events = commits.flatMap((commit) => commit.events);
  const steps = stepAttempts(run, events).map((attempt) => stepSpan(run, attempt));
  const attempts = deliveries.flatMap((delivery) => attemptSpans(run, delivery));
  const { trace_id } = runTraceOf(run);
  const spans = [runSpan(run, [...steps, ...calls]), ...steps, ...calls, ...attempts];
  const resource = {
    'service.name': optionalEnv('POWERTOOLS_SERVICE_NAME') ?? SERVICE,
    'workspace.id': run.workspace_id,
  };
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [
          {
            scope: { name: SERVICE, version: run.api_version },
            spans: spans.map((span) => spanOf(trace_id, span)),
          },
        ],
      },
    ],
  };
}

const rootId = (run: RunRecord) => spanId(run.id, 'run');
const stepId = (run: RunRecord, index: number, attempt: number) => spanId(run.id, 'step', index, attempt);

/** A query is understood before its run exists, so the span may begin before the run. */
function runSpan(run: RunRecord, within: readonly SpanFacts[]): SpanFacts {
  const { id, status, created_at, completed_at, input_type, errors } = run;
  return {
    id: rootId(run),
    parent: runTraceOf(run).parent_span_id,
    name: 'run',
    kind: spanKinds.internal,
    start: within.reduce((first, { start }) => Math.min(first, start), created_at),
    end: run.log_finished ? completed_at : undefined,
    attributes: { 'run.id': id, 'run.status': status, 'run.input_type': input_type },
    error: status === 'failed' ? errors.at(-1)?.code : undefined,
  };
}

function stepSpan(
  run: RunRecord,
  { index, kind, attempt, start, end, error }: ReturnType<typeof stepAttempts>[number],
): SpanFacts {
  return {
    id: stepId(run, index, attempt),
    parent: rootId(run),
    name: `step ${kind}`,
    kind: spanKinds.internal,
    start,
    // A log that has ended leaves no step open.
    end: end ?? (run.log_finished ? run.completed_at : undefined),
    attributes: { 'run.step.index': index, 'run.step.kind': kind, 'run.step.attempt': attempt },
    error,
  };
}

function loggedCalls(run: RunRecord, { events, traced }: LoggedCommit): SpanFacts[] {
  const sequence = events.at(-1)?.sequence ?? 0;
  return traced ? callSpans(run, traced, ['call', 'log', sequence]) : [];
}

const journaledCalls = (run: RunRecord, { call, ...traced }: JournaledTries): SpanFacts[] =>
  callSpans(run, traced, ['call', 'journal', traced.position, call]);

/** Planning and understanding have no step: their calls belong to the run. */
function callSpans(
  run: RunRecord,
  { position, attempt, tries }: TracedCalls,
  about: (string | number)[],
): SpanFacts[] {
  const step = run.steps[position];
  const parent = step ? stepId(run, step.index, attempt) : rootId(run);
  return tries.map((one, i) => ({ id: spanId(run.id, ...about, i), parent, ...callFacts(one) }));
}

function callFacts({ at, ms, source, page, model = OFFLINE, in: input = 0, out = 0, error }: ModelTry) {
  if (source !== undefined)
    return {
      name: `source ${source}`,
      kind: spanKinds.client,
      start: at,
      end: at + ms,
      attributes: { 'source.name': source, 'source.page': page },
      error,
    };
  return {
    name: `chat ${model}`,
    kind: spanKinds.client,
    start: at,
    end: at + ms,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': out,
    },
    error,
  };
}

/** A delivery stores its newest attempts; their numbers go on. */
function attemptSpans(run: RunRecord, { event_id, attempts, next_attempt }: DeliveryRecord): SpanFacts[] {
  return attempts.map(({ at, duration_ms, status_code, error }, i) => {
    const attempt = next_attempt - attempts.length + i;
    const refused = status_code !== undefined && status_code >= 300 ? `HTTP ${status_code}` : undefined;
    return {
      id: attemptSpanId(run.id, event_id, attempt),
      parent: rootId(run),
      name: 'webhook',
      kind: spanKinds.client,
      start: at,
      end: at + duration_ms,
      attributes: { 'webhook.attempt': attempt, 'http.response.status_code': status_code },
      error: error ?? refused,
    };
  });
}
