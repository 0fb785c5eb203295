// The package's exports.
export {
  type CreatedRun,
  RunService,
} from './client.ts';
export { ApiError, ConnectionError, isApiError, RunFailed } from './errors.ts';
export { type Fixtures, fixtures } from './fixtures.ts';
export type { CallOptions, ClientOptions, CreateOptions } from './http.ts';
export { parseRecordLinks, type RecordLink } from './link-parser.ts';
export type { Page } from './paged-list.ts';
export { type RunState, reduce, type StepRetry, type StepState, withEnvelope, withPlan } from './reduce.ts';
export { type SignOptions, sign } from './sign-webhook.ts';
export type * from './types.ts';
export { type SignatureHeader, type VerifyOptions, verify, WebhookError } from './verify-webhook.ts';
export type { ConnectionState, Watch, WatchOptions } from './watch.ts';
export { type SigningKey, secretOf } from './webhook-keys.ts';
export { type JobContext, type JobHandler, type JobResult, type WorkerOptions, worker } from './worker.ts';
