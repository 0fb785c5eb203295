// The description of each route and of each of its successes.
import { readFileSync } from 'node:fs';
import { limits } from '../limits.ts';
import { retentionDays } from '../retention.ts';
import { type RouteName, routeNames } from '../routes.ts';

interface RouteText {
  tag: Tag;
  description: string;
  /** By success status. */
  replies: Readonly<Record<number, string>>;
}

/** A guide for integrators: Markdown with code blocks. */
const guide = (name: string) => readFileSync(new URL(`./guides/${name}.md`, import.meta.url), 'utf8').trim();

/** Markdown by tag; the tag's operations follow it. */
export const tags = {
  'Start here': guide('start'),
  'Your data': `How the rows of a file, of a sheet or of a database become records.\n\n${guide('data')}`,
  Queries: `Questions in words: what they can say, and what happens with the rest.\n\n${guide('queries')}`,
  'What a question can say': `The rules by which the offline model reads a query, each with examples.\n\n${guide('questions')}`,
  Plans: `The steps of a plan: their kinds, what each takes, and conditions on records.\n\n${guide('plans')}`,
  'Answers as data': `Values instead of prose, each with where it comes from.\n\n${guide('output')}`,
  Clients: `Libraries, a terminal program and tools for agents.\n\n${guide('clients')}`,
  'Testing your code': `Your code against the local service, rehearsed trouble and recorded events.\n\n${guide('testing')}`,
  Account: 'The key in use, and its workspace.',
  Keys: `Keys, the audit, and the deliveries of a workspace.\n\n${guide('keys')}`,
  Runs: 'Create, read and control runs.',
  'Deadlines and deletion': `How long a run may work, and how long it is stored.\n\n${guide('lifetimes')}`,
  'When the model is away': `What runs do while a provider of models does not answer.\n\n${guide('away')}`,
  Events: 'Follow a run while it is in progress.',
  Results: `What runs produce: artifacts and notes.\n\n${guide('exports')}`,
  Monitors: `Runs that are made again by the clock or on a change of records.\n\n${guide('monitors')}`,
  Entities: `Records of the workspace.\n\n${guide('records')}`,
  Webhooks: `Deliveries of signed webhooks.\n\n${guide('webhooks')}`,
  Sync: `Records pushed in from other companies' systems.\n\n${guide('sync')}`,
  'Live sources': `Other systems that a run reads while it goes on.\n\n${guide('sources')}`,
  Jobs: `Your own workers, and people, as steps of a run.\n\n${guide('your-work')}`,
  Site: 'Pages about the service. They need no key.',
  Deploying: `The service as a stack in an AWS account.\n\n${guide('deploy')}`,
} as const;
type Tag = keyof typeof tags;

/** Routes of the API; the site's pages are for people. */
export type DocumentedRoute = Exclude<RouteName, 'Console' | 'Mcp'>;
export const documentedRoutes = routeNames.filter(
  (name): name is DocumentedRoute => name !== 'Console' && name !== 'Mcp',
);

export const routeTexts: Readonly<Record<DocumentedRoute, RouteText>> = {
  GetMe: {
    tag: 'Account',
    description:
      'Returns the name, scopes and limits of the key, and the limits and current use of its workspace. Any valid key may ask.',
    replies: { 200: 'The key.' },
  },
  ListJobs: {
    tag: 'Jobs',
    description:
      'Lists what fetches ask of workers and people, newest first, never with a token. The list lags a moment behind. With a filter other than `status` `open` or `run_id` up to 500 jobs are read a request, so a page may be short or empty even when more pages follow.',
    replies: { 200: 'A page of jobs.' },
  },
  GetJob: {
    tag: 'Jobs',
    description:
      'Returns a job with what is asked, so that a worker can take it from the list without having been told. The bearer is a key, or the token of the job while it is open.',
    replies: { 200: 'The job.' },
  },
  ProgressJob: {
    tag: 'Jobs',
    description:
      'A heartbeat of the worker, as every message that is taken. At most once a second it becomes the event `step.progress`. The bearer is the token of the job, or a key.',
    replies: { 200: 'The job is open.' },
  },
  AddJobItems: {
    tag: 'Jobs',
    description: `Adds a page of items, at most ${limits.job_pages_max} pages and ${limits.step_items_max} items in all. The items count in the order of the pages' numbers. A page that is sent again is the first one's. The bearer is the token of the job, or a key.`,
    replies: { 200: 'The page is saved.' },
  },
  CompleteJob: {
    tag: 'Jobs',
    description:
      'Ends the job; its items, after those of its pages, are the items of the step. The question of a person takes an `answer` by its schema instead. `usage` counts on the run, the key and the day. Sent again, it is not accepted: the first one holds. The bearer is the token of the job, or a key.',
    replies: { 200: 'Whether the message ended the job.' },
  },
  FailJob: {
    tag: 'Jobs',
    description:
      'Says that the work cannot be done. With `retry` the next attempt is told after 2 s, 4 s and so on, as a job of its own; without it, or after the last attempt, the step fails with `source_failed`. The bearer is the token of the job, or a key.',
    replies: { 200: 'Whether the message ended the job.' },
  },
  ListAllDeliveries: {
    tag: 'Webhooks',
    description:
      'Lists the webhooks of all runs, newest first. The failed ones have an index; for another status the list is read up to 500 deliveries a request, so a page may be short or empty even when more pages follow.',
    replies: { 200: 'A page of deliveries.' },
  },
  RedeliverFailed: {
    tag: 'Webhooks',
    description: `Makes a new attempt for each failed delivery, oldest first, at most ${limits.redelivered_max} a call. With \`has_more\`, call again; a delivery whose new attempt fails is failed again, so bound the time with \`created_before\` or fix the receiver first.`,
    replies: { 202: 'How many new attempts are due.' },
  },
  ListKeys: {
    tag: 'Keys',
    description: `Lists the keys, newest first, without their texts: all active ones, and of the others the newest, together at most ${limits.keys_listed_max}. \`expires_at\` of a rotated key is the end of its grace.`,
    replies: { 200: 'The keys.' },
  },
  CreateKey: {
    tag: 'Keys',
    description:
      'Creates a key with scopes that the caller has. A caller with a daily limit or an expiry gives no more than its own, and what the new key spends counts on the caller as well. The text of the key is in this reply only; if the reply is lost, revoke the key and create another.',
    replies: { 201: 'The new key.' },
  },
  RotateKey: {
    tag: 'Keys',
    description:
      'Creates a key with the name, scopes, limit and expiry of this one. Both work during the grace, share the daily limit, and sign the deliveries of runs of the old key; after it the old key is `auth_expired`. Its monitors pass to the new key at once. A key in its grace makes, rotates and revokes none.',
    replies: { 201: 'The new key.' },
  },
  RevokeKey: {
    tag: 'Keys',
    description: 'Revokes a key at once. Repeating is harmless. A key cannot revoke itself.',
    replies: { 204: 'The key is revoked.' },
  },
  ListAudit: {
    tag: 'Keys',
    description: `Lists who did what in the workspace, newest first: one entry for each effect, from a key or from \`admin\`. Entries are stored for ${retentionDays.audit} days.`,
    replies: { 200: 'A page of entries.' },
  },
  GetUsage: {
    tag: 'Runs',
    description: `Counts the runs that were created on these days, each once, in groups: how many, what they cost, and half and 95 % of them took how long at most, from \`created_at\` to \`completed_at\`. Runs in flight count with what they have cost so far, deleted ones as long as all others, ${retentionDays.usage} days. Only groups with runs are listed, days in order, the largest group of a day first.`,
    replies: { 200: 'The groups, with what their runs came to.' },
  },
  CreateRun: {
    tag: 'Runs',
    description: `Checks the request and answers before the work begins. A \`query\` is understood first, which may take up to ${limits.understanding_timeout_ms / 1000} seconds; a \`plan\` gives the exact steps; a \`preset\` is a packaged workflow. Give the callback URL at the top level or in \`config\`; if it is in both, the two must be identical. It must be https, without credentials, on a public address.`,
    replies: {
      200: 'The run that this Idempotency-Key created before; with `validate_only`, what the run would do.',
      202: 'The run was accepted.',
    },
  },
  ListRuns: {
    tag: 'Runs',
    description:
      'Lists the runs of the workspace that match every filter. Pass `next_cursor` back as `cursor`, with the same filters, for the next page. A page may have fewer runs than `limit`, or none, even when more pages follow.',
    replies: { 200: 'A page of runs.' },
  },
  GetRun: {
    tag: 'Runs',
    description: 'Returns the current state of the run. Poll every 2 to 5 seconds, less often for long work.',
    replies: { 200: 'The run.' },
  },
  GetTrace: {
    tag: 'Results',
    description:
      'Returns the run as a trace in OTLP/JSON: spans of the run, of each attempt of its steps, of each call of a model or a live source and of each attempt to deliver a webhook. Post it to any collector. The ids follow from those of the run; with a `traceparent` at its creation, the trace continues that one. What is not over has no end.',
    replies: { 200: 'The trace so far.' },
  },
  ListCalls: {
    tag: 'Results',
    description:
      'Lists every request that the run sent to a model, with the prompt, the answer as it came, the usage and the outcome, in order. Only a run with `config.keep_calls` has any: without it no prompt is stored. `step_index` is -1 for the understanding and the planning of a query, `attempt` is the attempt of the step, and `call` the position of the call in it. Requests that failed and requests for a repair are entries of their own. A page ends early rather than exceed 4 MB.',
    replies: { 200: 'A page of calls.' },
  },
  ListStepItems: {
    tag: 'Results',
    description:
      'Lists the items that a step passed on, in their order; with `which=dropped`, those that came into a `filter` and did not pass. A step that has not run, or yields no items, has none. A page ends early rather than exceed 4 MB: the next one begins at `offset` plus the number of items read.',
    replies: { 200: 'Some of the items, and how many there are.' },
  },
  CancelRun: {
    tag: 'Runs',
    description:
      'A pending or paused run ends at once. A running run is also `canceled` at once, but its current step finishes and is billed; then `run.canceled` is added to the log. A run that has ended does not change. Repeating is harmless.',
    replies: { 200: 'The run, canceled or already ended.' },
  },
  DeleteRun: {
    tag: 'Runs',
    description:
      'Deletes an ended run for good. From then on the run, its events, artifacts, notes and deliveries are not found, it is in no list, and its Idempotency-Key is free. What was stored is gone within 24 hours. Its credits and costs stay counted. Runs that were started from its steps keep their results; one that still needs an output of it fails with `checkpoint_not_found`.',
    replies: { 204: 'The run is deleted.' },
  },
  ResumeRun: {
    tag: 'Runs',
    description:
      'Continues a failed run, under the same id, from the step that failed. Finished steps are neither run nor charged again. A resume that raises `max_cost_usd` is charged to the key that resumes, within its daily limit. A plan in the body must be the one that the run was created with. When the run ends again, its webhook is a new delivery.',
    replies: { 202: 'The run, pending again.' },
  },
  RerunRun: {
    tag: 'Runs',
    description:
      'Starts a new run from `step_index` of an ended run, with the outputs of the earlier steps. Config that is not sent is inherited. A run that was created from a query has no saved plan to rerun.',
    replies: { 200: 'The run that this Idempotency-Key created before.', 202: 'The new run.' },
  },
  ListEvents: {
    tag: 'Events',
    description: `Pages through the log in order. \`next_cursor\` is on every page, even the last: pass it back to get only later events. With \`keep-open=1\`, a page without events waits up to ${limits.keep_open_ms / 1000} seconds for one.`,
    replies: { 200: 'A page of events.' },
  },
  CreateEventToken: {
    tag: 'Events',
    description: `Returns a token for the event stream of this run, for clients that cannot send an Authorization header. It is valid for ${limits.event_token_lifetime_ms / 60_000} minutes and can be used more than once.`,
    replies: { 200: 'The token.' },
  },
  StreamEvents: {
    tag: 'Events',
    description: `Sends each event as a named frame (\`id\`, \`event\`, \`data\`), from the first one or from the one after \`last_event_id\`. The server closes when the run has ended and its log is complete, or after ${limits.stream_max_duration_ms / 60_000} minutes, or \`max_ms\` if it is sent, with \`connection.expired\`. In that case get a new token and resume from the last id. The service does not learn that a reader has left, so the stream runs on and counts among the ${limits.streams_per_key_max} that a key may have open: send a small \`max_ms\` if you stay only briefly, as the clients do. Clients that can send headers may send a key in place of the token: \`curl -N "$BASE/runs/$ID/events/stream" -H "Authorization: Bearer $KEY"\`.`,
    replies: {
      200: 'The stream. The data of each frame is an Event.',
      204: 'Nothing follows the given event: the run has ended.',
    },
  },
  ListDeliveries: {
    tag: 'Webhooks',
    description: `Lists the webhooks of the run, each with its newest ${limits.delivery_attempts_stored} attempts.`,
    replies: { 200: 'The deliveries of the run.' },
  },
  RedeliverWebhook: {
    tag: 'Webhooks',
    description: 'Makes a new attempt with the same body and `event_id`, freshly signed.',
    replies: { 202: 'The delivery. Its new attempt is due.' },
  },
  GetArtifact: {
    tag: 'Results',
    description: `Returns an artifact as JSON, or in the \`format\` of the query, else of the \`Accept\` header: tables as \`jsonl\`, \`csv\` and \`md\`, texts and cards as \`md\`. \`fields\`, \`offset\` and \`limit\` take a part of a table, in every format. In \`jsonl\` and \`csv\`, cells are plain values and the last column, \`_record\`, is the id of the record that the row is about, or an empty text. \`bom=1\` begins CSV with a byte order mark, for Excel. A link from \`POST /artifacts/{id}/links\` replaces the key; it has at most ${limits.artifact_link_readers_max} readers at once, and one more gets 429. With \`include=links\` it also has \`entity_refs\`: the records it is structurally about. For tables that list is empty; their references are the record links in the cells.`,
    replies: { 200: 'The artifact.' },
  },
  CreateArtifactLink: {
    tag: 'Results',
    description:
      'Returns an address at which anyone can read this one artifact without a key, in the format of the body, by default JSON, until it expires, the key that made it is revoked or expires, the workspace is suspended, or the run is gone. It opens as it was made: with any other query parameter it is 404, and `Accept` is not looked at. Such a link cannot be listed or taken back alone: make it short-lived.',
    replies: { 201: 'The link.' },
  },
  GetNote: {
    tag: 'Results',
    description: 'Returns a note that a run saved.',
    replies: { 200: 'The note.' },
  },
  SearchEntities: {
    tag: 'Entities',
    description:
      'Finds the records whose names contain all words of `query`, ignoring case; the last word may be the beginning of one. Names that begin with the query come first. Without `query`, records are sorted by name.',
    replies: { 200: 'The best matches.' },
  },
  ResolveEntities: {
    tag: 'Entities',
    description:
      'Looks up each reference. One that matches no record, or several, is an error of that item, not of the request.',
    replies: { 200: 'One result for each reference, in the same order.' },
  },
  ListEntityTypes: {
    tag: 'Entities',
    description:
      'Lists the types that records have, most records first, with what a condition can name: each field by its path, the kinds of its values, how many records have it, the range of its numbers or dates and some values. A nested object is described by its members.',
    replies: { 200: 'The types.' },
  },
  ListSources: {
    tag: 'Live sources',
    description:
      'Lists the live sources that an administrator has set up: other systems that a `fetch` reads while its run goes on, by their name as `source`. `fields` are those that a source says its items may have.',
    replies: { 200: 'The sources, by name.' },
  },
  GetEntity: {
    tag: 'Entities',
    description: `Returns a record with all its fields and its newest relationships, at most ${limits.entity_relationships_max}. \`direction\` is \`out\` when the relationship begins at this record.`,
    replies: { 200: 'The entity.' },
  },
  ImportEntities: {
    tag: 'Entities',
    description: `Saves 1 to ${limits.entities_written_max} lines as records, in their order. A line is the record that has its \`id\`; else its \`external_id\` with its \`source\`; else its \`external_uri\`; else a new one. A line with none of the three is the record of its type and name that an import of such lines made: the n-th such line of the request, or the one that it says as \`occurrence\`. A record gets the line's \`fields\` in place of its own (a line without \`fields\` leaves them), and keeps the names that the line lacks. A wrong line is an entry of \`errors\` and is left out; the others are taken. The same request again changes nothing, and completes one that was interrupted. With \`dry_run\` the answer is the same and nothing is written.`,
    replies: { 200: 'What became of the lines.' },
  },
  UpdateEntity: {
    tag: 'Entities',
    description:
      'Changes what the body names. `fields` are merged into those of the record; a field that is null is taken away. `external_uri` null takes the URI away; one that another record has is `external_uri_taken`.',
    replies: { 200: 'The entity.' },
  },
  DeleteEntity: {
    tag: 'Entities',
    description: 'Deletes a record for good, with its relationships. Results of runs stay as they are.',
    replies: { 204: 'The entity is deleted.' },
  },
  DeleteEntities: {
    tag: 'Entities',
    description: `Deletes the records that are of \`type\`, meet \`where\` and are among \`ids\`, as far as these are sent; at least one must be. Ids that are not there are passed over. At most ${limits.entities_written_max} a call: with \`has_more\`, call again.`,
    replies: { 202: 'How many records were deleted.' },
  },
  CreateMonitor: {
    tag: 'Monitors',
    description:
      'Saves a run that is made again: `run` is a body of `POST /runs`, checked as with `validate_only`. `on` says when, by a cron pattern in a time zone or on a change of records. Its runs are runs of the key that sent `run` last, `key_id`, and carry its id in `metadata.monitor_id`. Besides the scope of this route, the key needs `runs:create` and what the run itself needs.',
    replies: {
      200: 'The monitor that this Idempotency-Key created before.',
      201: 'The monitor. It is active.',
    },
  },
  ListMonitors: {
    tag: 'Monitors',
    description: 'Lists the monitors of the workspace, without the bodies of their runs.',
    replies: { 200: 'A page of monitors.' },
  },
  GetMonitor: {
    tag: 'Monitors',
    description: 'Returns a monitor with the body of its runs and its newest fire.',
    replies: { 200: 'The monitor.' },
  },
  UpdateMonitor: {
    tag: 'Monitors',
    description:
      'Changes what the body names. Another `run` starts comparisons over. Another `on` starts due times over and forgets changes that have not fired. A paused monitor fires only on request; when it is active again, due times and changes in between are not caught up. The key needs what it needs to create the monitor. Who sends `run`, changed or not, becomes its key.',
    replies: { 200: 'The monitor.' },
  },
  DeleteMonitor: {
    tag: 'Monitors',
    description: 'Deletes a monitor. Its runs stay.',
    replies: { 204: 'The monitor is deleted.' },
  },
  FireMonitor: {
    tag: 'Monitors',
    description:
      'Makes the run of the monitor now, paused or not, and answers the fire, whatever its outcome. `overlap` holds here, too. A key whose day is spent is refused, even if the monitor has another key.',
    replies: {
      200: 'The fire that this Idempotency-Key made before.',
      202: 'The fire: a run, or the reason why there is none.',
    },
  },
  ListFires: {
    tag: 'Monitors',
    description:
      'Lists what became of each due time, change and request of the last 30 days. Due times that passed while the service could not fire are one entry, with the first, the last and their number.',
    replies: { 200: 'A page of fires.' },
  },
  ReceiveSync: {
    tag: 'Sync',
    description:
      'Applies one change to every workspace of the bridge, each with its own mapping. `create` and `update` do the same: the resource id decides. A `version` lower than the last one applied is skipped; a delete keeps its version. Send entities before the relationships between them. Errors of this route have a shorter shape.',
    replies: { 200: 'The message was processed.' },
  },
};
