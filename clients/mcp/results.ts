// The results of tools: a run summarized for agents, any other value, or an error with its remedy.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, ConnectionError, type ListedRun, type Run } from '../sdk/index.ts';
import { adviceOn } from './advice.ts';

/** What an agent reads at once has at most so many characters of JSON; it is sent twice, in two forms. */
export const READ_MAX_CHARACTERS = 4_000_000;

/** A value as structured content, and as text for clients that read only text. */
export function result(value: Record<string, unknown>): CallToolResult {
  return { structuredContent: value, content: [{ type: 'text', text: JSON.stringify(value) }] };
}

/** What went wrong, as a result that the agent can act on. */
export function refusal(view: Record<string, unknown>): CallToolResult {
  return { ...result(view), isError: true };
}

const LINE_MAX_CHARACTERS = 200;

/** A run in a list, in a few words. */
export function listedRun({
  id,
  status,
  input_type,
  title,
  created_at,
  message,
  usage,
  resumable,
}: ListedRun) {
  const line = message?.split('\n').find((one) => one.trim() !== '') ?? null;
  return {
    ...{ id, status, input_type, title, created_at, resumable },
    message: line && cut(line),
    cost_usd: usage.cost_usd,
    ...(usage.simulated && { simulated: true }),
  };
}

const cut = (line: string) =>
  line.length > LINE_MAX_CHARACTERS ? `${line.slice(0, LINE_MAX_CHARACTERS)}…` : line;

/** A run summarized for agents, with links to its output. `next` says what to do next. */
export function runResult(run: Run, next?: string): CallToolResult {
  const { id, status, message, steps, artifacts, note_ids, errors, warnings, resumable, usage } = run;
  const { plan, understood_as, output } = run;
  const waiting = run.waiting ?? undefined;
  const view = {
    ...{ id, status, next, waiting, message, steps, artifacts, note_ids, errors, warnings, resumable, usage },
    ...{ output, understood_as, plan },
  };
  const links = artifacts.map((artifact) => ({
    type: 'resource_link' as const,
    uri: `artifact://${artifact.id}`,
    name: artifact.title,
    description: `A ${artifact.kind} of this run`,
  }));
  const { content, structuredContent } = result(view);
  return { structuredContent, content: [...content, ...links] };
}

/** An error as a result that the agent can act on. Throws anything that is not a service error. */
export function errorResult(error: unknown): CallToolResult {
  if (error instanceof ConnectionError)
    return refusal({
      code: 'service_away',
      message: error.message,
      advice: adviceOn('service_unavailable'),
    });
  if (!(error instanceof ApiError)) throw error;
  const { code, message, param, details, requestId, docUrl, retryAfterMs } = error;
  const facts = {
    param,
    details: details && firstIssues(details),
    retry_after_ms: retryAfterMs,
    request_id: requestId,
    doc_url: docUrl,
  };
  return refusal({ code, message, advice: adviceOn(code, error), ...facts });
}

/** An agent corrects a few faults at a time, and a result has each twice. */
export const ISSUES_MAX = 20;

function firstIssues(details: object): object {
  return 'issues' in details && Array.isArray(details.issues)
    ? { ...details, issues: details.issues.slice(0, ISSUES_MAX) }
    : details;
}
