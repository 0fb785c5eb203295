// DynamoDB's errors: its codes and messages.
import { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import type { JsonObject } from '../../json-values.ts';

/** Why an action of a transaction is refused. */
export interface CancellationReason extends JsonObject {
  Code: string;
  Message?: string;
  Item?: JsonObject;
}

/** An invalid request, or one that does not fit the item it applies to. */
export function invalid(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

/** A request that cannot be parsed. */
export function unreadable(message: string): AwsError {
  return new AwsError('SerializationException', message);
}

/** A field that violates a rule of the service's model. */
export function breaks(value: string, member: string, constraint: string): AwsError {
  const shown = value === 'null' ? value : `'${value}'`;
  return invalid(
    `1 validation error detected: Value ${shown} at '${member}' failed to satisfy constraint: ${constraint}`,
  );
}

/** A DynamoDB feature that this engine lacks: it refuses rather than guesses. */
export function unsupported(what: string): AwsError {
  return invalid(`The embedded engine does not support ${what}`);
}

/** A table that does not exist. */
export function noTable(): AwsError {
  return new AwsError('ResourceNotFoundException', 'Requested resource not found');
}

/** A failed condition, with the current item if the caller asks for it. */
export function conditionFailed(item?: JsonObject): AwsError {
  const details: JsonObject = item ? { Item: item } : {};
  return new AwsError('ConditionalCheckFailedException', 'The conditional request failed', 400, details);
}

/** A transaction with refused actions; the reasons are in the order of its actions. */
export function canceled(reasons: readonly CancellationReason[]): AwsError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new AwsError('TransactionCanceledException', message, 400, { CancellationReasons: [...reasons] });
}

/**
 * A reason for each action of a transaction, some of them refused. Validation errors hide failed conditions, which
 * count only if all actions are valid.
 */
export function reasonsOf(actions: number, refused: ReadonlyMap<number, AwsError>): CancellationReason[] {
  const firstInvalid = [...refused].find(([, error]) => error.code === 'ValidationException');
  return Array.from({ length: actions }, (_, i): CancellationReason => {
    if (firstInvalid)
      return firstInvalid[0] === i
        ? { Code: 'ValidationError', Message: firstInvalid[1].message }
        : { Code: 'None' };
    const error = refused.get(i);
    if (!error) return { Code: 'None' };
    return { ...error.details, Code: 'ConditionalCheckFailed', Message: error.message };
  });
}
