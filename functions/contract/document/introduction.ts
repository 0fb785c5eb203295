// The opening text of the document: the rules of every route.
import { API_VERSION, credits, limits, tiers } from '../limits.ts';
import { stepKinds, stepTable } from '../steps.ts';

const inMinutes = (ms: number) => `${ms / 60_000} minutes`;
const inSeconds = (ms: number) => `${ms / 1000} s`;
const tierLines = Object.entries(tiers).map(
  ([name, tier]) =>
    `- \`${name}\`: ${tier.max_concurrent_runs} runs in flight, ${tier.daily_cost_cap_usd} USD a day`,
);
const stepCredits = stepKinds.map((kind) => {
  const row = stepTable[kind];
  return 'credits' in row
    ? ([kind, row.credits] as const)
    : ([`${kind}_item`, row.credits_per_item] as const);
});
const creditLines = [...stepCredits, ...Object.entries(credits)].map(
  ([name, amount]) => `- \`${name}\`: ${amount}`,
);

/** Uses only paragraphs, `##` headings, `-` lists and code spans. */
export const introduction = `A client posts work as a run. The answer comes at once, and the work continues in the background. Follow a run by reading it, by its event log (pages or server-sent events), or by the signed webhook that is sent when it ends.

## Addresses and values

Paths in this document start at the host. Times are integers, epoch milliseconds, unless a field says otherwise. Ids are UUIDs. Bodies are JSON in UTF-8; a field that is not documented is refused. Replies may gain fields at any time: ignore those that you do not know.

Send \`X-Request-Id\` (1 to ${limits.request_id_max_characters} of letters, digits, \`. _ : -\`) to correlate a request with your own logs: the reply and its errors carry it. If it is missing or malformed, the service generates one.

## Keys and scopes

A request carries \`Authorization: Bearer <API_KEY>\`. A key belongs to one workspace and has scopes; each route names the one it needs. Some requests need more: \`presets:dossier\` to create dossiers, and \`config:xray\`, \`config:global_search\`, \`config:unlimited_transform\` to set that flag to \`true\`. Malformed ids, unknown ids and those of another workspace get the same 404.

## Creating once

With an \`Idempotency-Key\` a create can be repeated safely: the same key and JSON return the existing run with 200 and \`Idempotency-Replayed: true\`; other JSON gets 409. A key is stored as long as what it made, per workspace and route. Only a create that succeeds claims it.

## Reading your writes

\`GET /runs/{id}\`, its events and its webhook deliveries are never stale: what was acknowledged before a request, to any client, is in the answer. In a list of runs each entry is, too, but the list is of no one moment: with \`status\`, a run that changes meanwhile may be missing. Streams and \`keep-open\` may bring the newest event a moment later.

## Pages

A paged list returns \`data\`, \`has_more\` and \`next_cursor\`. Pass the cursor back unchanged, with the same other parameters. Runs, monitors and fires come newest first, and \`next_cursor\` is null on the last page. Events come oldest first, and \`next_cursor\` is on every page, even the last: pass it back later to get the events since then. \`has_more\` says whether some exist already.

## Errors and retries

Every error has the same envelope: \`code\` is stable, \`message\` is for people, \`doc_url\` explains the code. Retry 429, 500 (but not \`model_refused\` and \`model_answer_unusable\`), 503 and 504 with backoff, jitter and the same \`Idempotency-Key\`; 429, 503 and 504 carry \`Retry-After\`. After any other error, change the request first.

## Browsers

Pages of any origin may call every path below the base address with a key or an event token. Replies allow any origin and expose \`X-Request-Id\`, \`Retry-After\`, \`Idempotency-Replayed\` and \`Content-Disposition\`; \`OPTIONS\` is answered with 204. No cookie is read. Anyone who reads a page knows the key in it: give it few scopes and a daily limit. \`HEAD\` answers as \`GET\` without a body.

## Limits

- Body: ${limits.body_max_bytes} bytes; params of one step: ${limits.step_params_max_bytes} bytes as compact JSON; JSON nests at most ${limits.json_max_depth} deep
- Query: ${limits.query_max_characters} characters (Unicode code points), understood within ${inSeconds(limits.understanding_timeout_ms)}
- Plan: 1 to ${limits.plan_max_steps} steps
- Event log: stored for ${limits.event_retention_days} days; event token: ${inMinutes(limits.event_token_lifetime_ms)}; one stream: ${inMinutes(limits.stream_max_duration_ms)}, ${limits.streams_per_key_max} open at once by a key, a comment line after ${inSeconds(limits.stream_heartbeat_ms)} without an event
- Model calls: ${limits.model_attempts} attempts of at most ${inSeconds(limits.model_call_timeout_ms)} each
- Webhooks: ${limits.webhook_attempts} attempts of at most ${inSeconds(limits.webhook_timeout_ms)} each, the later ones after ${limits.webhook_retry_delays_seconds.join(' and ')} seconds

How many runs a workspace may have in flight, and how much it may spend in a UTC day, depends on its tier, unless it has its own limits:

${tierLines.join('\n')}

## Credits

A workspace may pay in credits. The most that a plan can cost is reserved when the run is created and settled when it ends: finished steps are charged, a failed run costs nothing. Credits per step (a transform: per item, up to its limit):

${creditLines.join('\n')}

A workspace without credits is charged none, and its runs lack both credit fields.

## Versions

The contract's version is a date, now \`${API_VERSION}\`; a run keeps the version it was created under. Treat it as opaque. As the version of this document it has dots, so that packages made from it can be installed.`;
