// Endpoints of models that are away, each in its own way.
import { limits } from '#contract/limits.ts';
import { ModelError } from '#models/model.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** How an endpoint fails that is away: after how long, and what it asks for. */
export interface Manner {
  hangs_ms: number;
  retry_after_ms?: number;
}

/** Every manner: at once, late, and with all kinds of wishes for the next call. */
export const manners: readonly Manner[] = [
  { hangs_ms: 0 },
  // Longer than the claim of a probe lasts that nobody prolongs.
  { hangs_ms: 30 * SECOND_MS },
  { hangs_ms: 0, retry_after_ms: 0 },
  { hangs_ms: 0, retry_after_ms: 3 * SECOND_MS },
  { hangs_ms: 0, retry_after_ms: limits.model_retry_after_max_ms + 1 },
  { hangs_ms: 0, retry_after_ms: 1.5 * MINUTE_MS },
  { hangs_ms: 0, retry_after_ms: 365 * 24 * 60 * MINUTE_MS },
];

/** The failure of a call. */
export const failureIn = ({ retry_after_ms }: Manner): ModelError =>
  new ModelError(
    'HTTP 503',
    { cause: 'away', provider: { message: 'HTTP 503' } },
    { ...(retry_after_ms !== undefined && { retry_after_ms }) },
  );
