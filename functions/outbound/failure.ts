// The findings of our own about a foreign host, and the code by which any failure is recorded.

/** A finding of ours about a foreign host; the code is what a delivery log shows. */
export class OutboundError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`outbound request: ${code}`);
    this.name = 'OutboundError';
    this.code = code;
  }
}

/** The code of an error as it may be shown to a customer: never a message, which could tell of our inside. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : 'unknown';
}
