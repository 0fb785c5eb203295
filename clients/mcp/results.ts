// The results of tools: a run summarized for agents, any other value, or an error with its remedy.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, ConnectionError, type ErrorType, type Run } from '../sdk/index.ts';

const advice: Readonly<Record<ErrorType, string>> = {
  invalid_request: 'Correct the request; `param` names the field that is at fault.',
  plan_error: 'Correct the plan; plan_check tries one without running it.',
  authentication: 'The API key is missing, wrong or expired: ask the user for another one.',
  permission: 'The key may not do this: ask the user for a key with that scope.',
  not_found: 'Look the id up with run_list or entity_search.',
  conflict: 'Read the run with run_get: its state does not allow this.',
  rate_limit: 'Wait as long as retry_after_ms says, or for runs in flight to end, then call again.',
  internal: 'Call again; if it persists, give the user the request id.',
  unavailable: 'Call again in a while.',
  timeout: 'Call again in a while.',
};

/** What an agent reads at once has at most so many characters of JSON; it is sent twice, in two forms. */
export const READ_MAX_CHARACTERS = 4_000_000;

/** A value as structured content, and as text for clients that read only text. */
export function result(value: Record<string, unknown>): CallToolResult {
  return { structuredContent: value, content: [{ type: 'text', text: JSON.stringify(value) }] };
}

/** A run summarized for agents, with links to its output. `next` says what to do next. */
export function runResult(run: Run, next?: string): CallToolResult {
  const { id, status, message, steps, artifacts, note_ids, errors, warnings, resumable, usage } = run;
  const view = { id, status, next, message, steps, artifacts, note_ids, errors, warnings, resumable, usage };
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
  if (error instanceof ConnectionError) {
    return {
      ...result({ code: 'service_away', message: error.message, advice: advice.unavailable }),
      isError: true,
    };
  }
  if (!(error instanceof ApiError)) throw error;
  const { code, message, param, details, requestId, docUrl, retryAfterMs } = error;
  const facts = {
    param,
    details: details && firstIssues(details),
    retry_after_ms: retryAfterMs,
    request_id: requestId,
    doc_url: docUrl,
  };
  return { ...result({ code, message, advice: advice[error.type], ...facts }), isError: true };
}

/** An agent corrects a few faults at a time, and a result has each twice. */
const ISSUES_MAX = 20;

function firstIssues(details: object): object {
  return 'issues' in details && Array.isArray(details.issues)
    ? { ...details, issues: details.issues.slice(0, ISSUES_MAX) }
    : details;
}
