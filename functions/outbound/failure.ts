// Failures of external hosts, and the code recorded for any failure.

/** A failure of an external host that this service detected; delivery logs show the code. */
export class OutboundError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`outbound request: ${code}`);
    this.name = 'OutboundError';
    this.code = code;
  }
}

/** The code that customers see: never the message, which could reveal internals. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : 'unknown';
}
