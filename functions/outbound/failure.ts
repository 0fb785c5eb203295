// Failures that this service finds in a foreign host, and the code by which any failure is recorded.

/** A failure that this service found in a foreign host; delivery logs show the code. */
export class OutboundError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`outbound request: ${code}`);
    this.name = 'OutboundError';
    this.code = code;
  }
}

/** The code of an error as customers may see it: never its message, which could reveal internals. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : 'unknown';
}
