// The description of each route, and the meaning of each of its successes.
import { readFileSync } from 'node:fs';
import { limits } from '../limits.ts';
import { type RouteName, routeNames } from '../routes.ts';

interface RouteText {
  tag: Tag;
  description: string;
  /** By success status. */
  replies: Readonly<Record<number, string>>;
}

/** A page for integrators: Markdown with code blocks. */
const guide = (name: string) => readFileSync(new URL(`./guides/${name}.md`, import.meta.url), 'utf8').trim();

/** Markdown by tag; the tag's operations follow it. */
export const tags = {
  Account: 'The key in use, and its workspace.',
  Runs: `Create, read and steer runs.\n\n${guide('clients')}`,
  Events: 'Follow a run while it goes on.',
  Results: 'What runs leave behind: artifacts and notes.',
  Entities: `Records of the workspace.\n\n${guide('records')}`,
  Webhooks: `Deliveries of signed webhooks.\n\n${guide('webhooks')}`,
  Sync: `Records pushed in from other companies' systems.\n\n${guide('sync')}`,
  Site: `Pages about the service itself; no key needed.\n\n${guide('deploy')}`,
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
      'Tells a key its name, scopes and limits, and what its workspace may use and uses today. Any valid key may ask.',
    replies: { 200: 'The key.' },
  },
  CreateRun: {
    tag: 'Runs',
    description: `Checks the request and answers before the work begins. A \`query\` is understood first, which may take up to ${limits.understanding_timeout_ms / 1000} seconds; a \`plan\` gives the exact steps; a \`preset\` is a packaged workflow. A callback URL may stand at the top level or in \`config\`; if in both, the two must be identical. It must be https, without credentials, on a public address.`,
    replies: {
      200: 'The run that this Idempotency-Key created before; with `validate_only` what the run would do.',
      202: 'The run was accepted.',
    },
  },
  ListRuns: {
    tag: 'Runs',
    description:
      'Lists the runs of the workspace; a run is listed when every filter holds. Pass `next_cursor` back as `cursor`, with the same filters, for the next page. A page may hold fewer runs than `limit`, or none, and still have more behind it.',
    replies: { 200: 'A page of runs.' },
  },
  GetRun: {
    tag: 'Runs',
    description: 'Gives the run as it is now. Poll every 2 to 5 seconds, more slowly for long work.',
    replies: { 200: 'The run.' },
  },
  CancelRun: {
    tag: 'Runs',
    description:
      'A pending or paused run ends at once. A running run is `canceled` at once too, but the step in hand finishes and is billed; `run.canceled` follows it in the log. A run that has ended is left as it is. Repeating is harmless.',
    replies: { 200: 'The run, canceled or already ended.' },
  },
  ResumeRun: {
    tag: 'Runs',
    description:
      'Continues a failed run, under the same id, from the step that failed; steps done before are neither run nor charged again. A plan in the body must be the one the run was created with. The webhook of its next end is a new delivery.',
    replies: { 202: 'The run, pending again.' },
  },
  RerunRun: {
    tag: 'Runs',
    description:
      'Starts a new run that takes the outputs of the earlier steps from an ended one and works from `step_index` on. Config that is not sent is inherited. A run that began as a query has no saved plan to rerun.',
    replies: { 200: 'The run that this Idempotency-Key created before.', 202: 'The new run.' },
  },
  ListEvents: {
    tag: 'Events',
    description: `Pages through the log in order. \`next_cursor\` is on every page, the last one too: pass it back to get only later events. With \`keep-open=1\` an empty page waits up to ${limits.keep_open_ms / 1000} seconds for an event.`,
    replies: { 200: 'A page of events.' },
  },
  CreateEventToken: {
    tag: 'Events',
    description: `Gives a token for the event stream of this run, for clients that cannot send an Authorization header. It lives ${limits.event_token_lifetime_ms / 60_000} minutes and may be used more than once.`,
    replies: { 200: 'The token.' },
  },
  StreamEvents: {
    tag: 'Events',
    description: `Sends each event as a named frame (\`id\`, \`event\`, \`data\`), from the first one or from the one after \`last_event_id\`. The server closes when the run has ended and its log is complete, or after ${limits.stream_max_duration_ms / 60_000} minutes with \`connection.expired\`: then get a new token and resume with the last id.`,
    replies: {
      200: 'The stream. The data of each frame is an Event.',
      204: 'Nothing follows the given event: the run has ended.',
    },
  },
  ListDeliveries: {
    tag: 'Webhooks',
    description: 'Shows each webhook of the run with every attempt made.',
    replies: { 200: 'The deliveries of the run.' },
  },
  RedeliverWebhook: {
    tag: 'Webhooks',
    description: 'Makes a new attempt with the same body and `event_id`, freshly signed.',
    replies: { 202: 'The delivery, with the new attempt to come.' },
  },
  GetArtifact: {
    tag: 'Results',
    description:
      'Gives the body of an artifact. With `include=links` it also has `entity_refs`: the records it is structurally about; for tables that list is empty, their references are the record links in the cells.',
    replies: { 200: 'The artifact.' },
  },
  GetNote: {
    tag: 'Results',
    description: 'Gives a note that a run saved.',
    replies: { 200: 'The note.' },
  },
  SearchEntities: {
    tag: 'Entities',
    description:
      'Finds the records whose names have all words of `query`, without case, the last one as the beginning of a word: names that begin with it come first, then those that have it elsewhere. Without `query` the records come by name.',
    replies: { 200: 'The best of the records found.' },
  },
  ResolveEntities: {
    tag: 'Entities',
    description:
      'Looks up each reference; one that matches no record, or several, is an error of that item and not of the request.',
    replies: { 200: 'One result for each reference, in the same order.' },
  },
  ReceiveSync: {
    tag: 'Sync',
    description:
      'Applies one change to every workspace of the bridge, each with its own mapping. `create` and `update` are alike: the resource id decides. A lower `version` than the last one applied is skipped; a delete keeps its version. Send entities before the relationships between them. Errors here have their own short shape.',
    replies: { 200: 'The message was processed.' },
  },
};
