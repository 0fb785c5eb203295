// The error for the person who starts the service.

/** A mistake in what a person or a template handed over: one clear line, no stack, exit code 2. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
