// Errors that the user who starts the service can correct.

/** A wrong setting or template: a one-line message, no stack trace, exit code 2. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
