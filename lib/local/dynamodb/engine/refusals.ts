// DynamoDB's errors: its codes, and a text of this engine.
import { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import type { JsonObject } from '../../json-values.ts';

/** Why an action of a transaction is refused. */
export interface CancellationReason extends JsonObject {
  Code: string;
  Message?: string;
  Item?: JsonObject;
}

/** A request that is invalid, or that does not fit the item it applies to. */
export function invalid(message: string): AwsError {
  return new AwsError('ValidationException', message);
}

const SHOWN_CHARACTERS = 100;

/** Anything that the store does not send. `shown`: what was found there instead. */
export function unknown(what: string, shown: unknown): AwsError {
  const text = String(JSON.stringify(shown)).slice(0, SHOWN_CHARACTERS);
  return invalid(`The local table does not know ${what} ${text}`);
}

/** Throws ValidationException for a member of a request that the store does not send. */
export function requireKnown(input: JsonObject, names: readonly string[]): void {
  for (const name in input)
    if (!names.includes(name) && input[name] !== undefined) throw unknown('the member', name);
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
