// The values of `details.reason` with meaning and remedy: the source of the schemas and the errors page.
import * as z from 'zod';

const table = {
  query_ambiguous: {
    multiple_interpretations:
      'The query has interpretations that differ so much that work on the wrong one would be wasted. Say which one you mean.',
    missing_subject: 'The query does not say what it is about. Name records, or a type of them.',
    too_broad: 'The query asks for everything. Narrow it to a type, a location, a time or a question.',
    not_understood:
      'Nothing of the query but names, places or values is understood, or a word that the answer depends on is not, such as a number, a comparison, a negation or another type (`words` are not understood). Ask about the types, fields and values of the workspace.',
  },
  step_too_costly: {
    groups_per_record:
      'A record would count under more groups than a record may (`limit`), because several of its grouped lists are long. Group by fewer lists.',
    pairs:
      'The records would count under more groups together than a step may make (`limit`). Select fewer records with `where`, or group by fewer lists.',
    time: 'The step read records for as long as a step may (`limit`, in milliseconds). Use fewer or simpler conditions, or divide the work among several steps.',
  },
  model_refused: {
    input_too_long:
      'The input is longer than the model takes. Give the step fewer or shorter items, or use a model with a larger context.',
  },
  source_failed: {
    status:
      'The source answered with the status `status_code`. 429 and 5xx were tried again twice; redirects are not followed.',
    timeout:
      'The source did not answer in time, in three tries, its pages took longer together than a step may read, or its job did not end in time. Answer faster, or raise `timeout_ms` of the source, or `timeout_seconds` of one of kind `job`.',
    connection:
      'No connection, or a connection that broke, in three tries. Check the host, its certificate and its network.',
    shape:
      'The reply is not JSON in UTF-8 of the documented shape, or has an item that a record could not have.',
    too_large: 'A page is larger than 1 MB. Send fewer items a page, with `next_cursor`.',
    address:
      'The address of the source is not public, or the source went before its job was sent. An administrator names another one with `source update`, or makes the source again.',
    job: 'The worker, or the person, said that the job cannot be done (`message`), for good or after the last attempt.',
    tool: 'The tool of the MCP server is missing, reported an error or refused the call.',
  },
  invalid_callback_url: {
    invalid_url:
      'It is not an unambiguous absolute URL: it has no host, contains credentials, has a doubtful spelling or a port that is not allowed. Send a plain URL.',
    not_https: 'The scheme is not https. Send an https URL.',
    private_address:
      'The host is, or resolves to, an address that is not public. Receive at a public address; during development, forward from `runs webhooks listen`.',
  },
  run_not_resumable: {
    not_failed:
      'The run has succeeded, so nothing is left to do. Rerun it from a step to get another result.',
    canceled: 'The run was canceled, which is final. Rerun it from a step, or create a new one.',
    in_progress: 'The run is in progress: it was resumed, or it has not ended yet. Watch it.',
    no_saved_plan:
      'There is no plan to continue: the run failed before it had one, or was created from a query, which cannot be rerun from a step. Create a new run.',
    run_not_terminal: 'A rerun starts from a run that has ended. Wait for it to end, or cancel it first.',
  },
  key_not_active: {
    revoked: 'The key was revoked. Create a new one.',
    expired: 'The key has expired. Create a new one.',
    rotated:
      'The key was rotated: in its grace it is not rotated again, and manages no keys. Use its successor, the key whose `successor_of` names it.',
  },
  workspace_cost_cap_exceeded: {
    credits:
      'The workspace has fewer credits left (`available`) than the run may cost (`required`). Wait until runs in flight release theirs, send a smaller plan, or get more credits.',
  },
} as const satisfies Record<string, Record<string, string>>;

type Explained = typeof table;

/** A reason of a code. */
export type ErrorReason<C extends keyof Explained> = keyof Explained[C] & string;

/** The text of each reason, by error code. */
export const reasonTexts: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  Object.entries(table),
);

/** The reasons of a code as a schema: only those explained here. */
export function reasonsOf<C extends keyof Explained>(code: C) {
  const names = Object.keys(table[code]) as [keyof Explained[C] & string];
  return z.enum(names);
}
