// Where dynoxide answers otherwise than AWS does, or words it otherwise: no fault of an engine that follows AWS. Words
// and the order of refusals are for DynamoDB Local to judge.
import { isObject, type Json } from '../../../../lib/local/json-values.ts';
import type { Accepted, Compared } from './accepted.ts';
import { expressionHolders, objectsOf } from './asked.ts';
import type { Answer } from './engines.ts';
import { stable } from './normal-form.ts';
import { isPartOf, withMember } from './parts.ts';

/** What dynoxide accepts. */
const OVERLOOKED =
  /The first operand must be distinct|Incorrect operand type|Incorrect number of operands|document paths (overlap|conflict)|does not project|document path provided in the update expression is invalid|too many (operators|operands|nesting levels)|not within the allowable range|has exceeded the (maximum )?size limit|'return(ValuesOnConditionCheckFailure|ConsumedCapacity)'|The embedded engine does not support|redundant parentheses|Syntax error|reserved keyword|unused in expressions|can only be specified when using|Condition parameter type does not match|empty (string|binary) value|The provided starting key|does not exist in the item|Type mismatch for Index Key|Key attributes must be scalars|Multiple attribute names|Query key condition not supported|Nesting Levels|function is not allowed|BETWEEN operator requires|more than one datatypes|contains invalid|must not be empty|Unexpected value type|cannot be converted/;
/** What dynoxide cannot read. */
const NOT_READ =
  /^(1 validation error detected: )?(Invalid \w+Expression: |Unexpected |Expected |Query condition missed|Query filter)/;

const updates = ({ asked }: Compared): string[] =>
  expressionHolders(asked).map(({ UpdateExpression }) => String(UpdateExpression ?? ''));

const isInvalid = ({ refusal, body }: Answer): boolean =>
  refusal !== undefined &&
  (refusal.code !== 'ConditionalCheckFailedException' && refusal.code !== 'TransactionCanceledException'
    ? refusal.status === 400
    : objectsOf(body.CancellationReasons).some(({ Code }) => Code === 'ValidationError'));

const isDecided = ({ refusal }: Answer): boolean =>
  refusal === undefined || /^(ConditionalCheckFailed|TransactionCanceled)Exception$/.test(refusal.code);

/** Without what fills a list up to an index beyond its end. */
function withoutGaps(value: Json | undefined): Json {
  if (Array.isArray(value))
    return value.map((one) => withoutGaps(one)).filter((one) => stable(one) !== '{"NULL":true}');
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutGaps(one)]));
}

/** Differences of an engine that follows AWS from dynoxide. */
export const dynoxideDiffers: readonly Accepted[] = [
  {
    reason: 'dynoxide words its refusals otherwise, and comes to them in another order',
    leavesOpen: ({ reference, candidate }) => isInvalid(reference) && isInvalid(candidate),
  },
  {
    reason: 'dynoxide lets pass what AWS refuses',
    leavesOpen: ({ reference, candidate }) =>
      isDecided(reference) && isInvalid(candidate) && OVERLOOKED.test(JSON.stringify(candidate)),
  },
  {
    reason: 'dynoxide does not read all expressions that are right',
    leavesOpen: ({ reference, candidate }) =>
      isDecided(candidate) && NOT_READ.test(reference.refusal?.message ?? ''),
  },
  {
    reason: 'dynoxide returns the key of an item that was not there',
    instead: ({ asked, reference, candidate }) =>
      asked.input.ReturnValues === 'ALL_OLD' && candidate.body.Attributes === undefined
        ? withMember(reference, 'Attributes', undefined)
        : undefined,
  },
  {
    reason: 'dynoxide fills a list up to an index beyond its end',
    leavesOpen: (compared) =>
      updates(compared).some((text) => /\[\s*\d+\s*\]/.test(text)) &&
      !compared.reference.refusal &&
      !compared.candidate.refusal &&
      stable(withoutGaps(compared.reference.body)) === stable(withoutGaps(compared.candidate.body)),
  },
  {
    reason: 'dynoxide returns the key, too, of an item that a transaction reads in part, or nothing of it',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.operation === 'TransactGetItems' &&
      !reference.refusal &&
      !candidate.refusal &&
      isPartOf(withoutEmpty(candidate.body.Responses), withoutEmpty(reference.body.Responses)),
  },
  {
    reason: 'Of a list dynoxide returns all where some of it was updated',
    leavesOpen: ({ asked, reference, candidate }) =>
      /^UPDATED_/.test(String(asked.input.ReturnValues)) &&
      !reference.refusal &&
      !candidate.refusal &&
      isPartOf(withoutGaps(candidate.body.Attributes ?? {}), withoutGaps(reference.body.Attributes ?? {})),
  },
  {
    reason: 'dynoxide counts capacity otherwise',
    instead: ({ reference, candidate }) =>
      withMember(reference, 'ConsumedCapacity', candidate.body.ConsumedCapacity),
  },
];

const withoutEmpty = (responses: Json | undefined): Json =>
  objectsOf(responses).map((one) => (stable(one) === '{"Item":{}}' ? {} : one));
