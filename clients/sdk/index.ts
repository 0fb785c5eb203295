// The package's exports.
export {
  type CreatedRun,
  RunService,
} from './client.ts';
export { ApiError, ConnectionError, isApiError, RunFailed } from './errors.ts';
export type { CallOptions, ClientOptions, CreateOptions } from './http.ts';
export type { Page } from './page.ts';
export { parseRecordLinks, type RecordLink } from './record-links.ts';
export { type RunState, reduce, type StepRetry, type StepState, withEnvelope, withPlan } from './reduce.ts';
export type * from './types.ts';
export type { ConnectionState, Watch, WatchOptions } from './watch.ts';
export {
  type SignatureHeader,
  type SigningKey,
  secretOf,
  type VerifyOptions,
  verify,
  WebhookError,
} from './webhooks.ts';
