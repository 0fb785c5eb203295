// An error of the admin CLI or of the service.

/** Ends the command with `{"error":{"code","message"}}` on stderr and exit code 1. */
export class CliError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'CliError';
    this.code = code;
  }
}
