// The errors of admin commands.

export type AdminErrorCode =
  | 'invalid_arguments'
  | 'workspace_not_found'
  | 'key_not_found'
  | 'keys_exceeded'
  | 'bridge_not_found'
  | 'source_not_found'
  | 'source_exists'
  | 'sources_exceeded'
  | 'run_not_found'
  | 'entity_not_resolvable'
  | 'forbidden_feature'
  | 'model_unavailable'
  | 'import_interrupted';

/** A failure that the administrator sees: a code for scripts, a message that says what to do. */
export class AdminError extends Error {
  readonly code: AdminErrorCode;
  constructor(code: AdminErrorCode, message: string) {
    super(message);
    this.name = 'AdminError';
    this.code = code;
  }
}
