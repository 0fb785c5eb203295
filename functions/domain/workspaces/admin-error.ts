// Why an administrator's command was not carried out.

export type RefusalCode =
  | 'invalid_arguments'
  | 'workspace_not_found'
  | 'key_not_found'
  | 'bridge_not_found'
  | 'run_not_found'
  | 'entity_not_resolvable'
  | 'forbidden_feature'
  | 'model_unavailable'
  | 'import_interrupted';

/** A failure that the administrator may see: a code for scripts, a message that says what to do. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}
