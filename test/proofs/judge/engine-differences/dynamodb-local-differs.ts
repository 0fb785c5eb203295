// Where DynamoDB Local answers otherwise than AWS does, or words it otherwise: no fault of an engine that follows AWS.
import { isObject, type JsonObject } from '../../../../lib/local/json-values.ts';
import type { Accepted, Compared } from './accepted.ts';
import { expressionHolders, namedItems, objectsOf } from './asked.ts';
import { dynamoDbLocalOrder } from './dynamodb-local-order.ts';
import { cancelsAlike, dynamoDbLocalWords } from './dynamodb-local-words.ts';
import type { Answer } from './engines.ts';
import { stable } from './normal-form.ts';
import { isPartOf, withMember } from './parts.ts';

const UNKNOWN_TO_ENGINE = 'The embedded engine refuses what it does not know, by name';
const NESTED_PATH = /[.[]/;
const PLACEHOLDERS = ['ExpressionAttributeNames', 'ExpressionAttributeValues'];
const CAPACITY = 'ReturnConsumedCapacity';

const BOUNDS = '; lower bound operand: ';
const inTransaction = ({ asked }: Compared) => /^Transact/.test(asked.operation);

/** What DynamoDB Local refuses the whole transaction for, where AWS gives the action's reason. */
const AGAINST_THE_ITEM =
  /^(The document path provided in the update expression is invalid|The provided expression refers to an attribute that does not exist|An operand in the update expression has an incorrect data type|Item size to update has exceeded|DynamoDB only supports precision|Number overflow|Invalid attribute value type|Nesting Levels|The number of conditions on the keys|One of the required keys|Hash primary key values|One or more parameter values were invalid: Size limit|One or more parameter values are not valid. (The AttributeValue for a key|A value specified for a secondary index key))/;

/** Faults of an update that DynamoDB finds only on execution; which of several is reported is undefined. */
const IN_CARRYING_OUT =
  /^(The document path provided in the update expression is invalid|The provided expression refers to an attribute that does not exist|An operand in the update expression has an incorrect data type|DynamoDB only supports precision|Attempting to store more|Number (over|under)flow|One or more parameter values were invalid: Type mismatch for Index Key|One or more parameter values are not valid. The update expression attempted)/;
const SEVERAL_OPERANDS = /,|\+|-|\(|\b(add|remove|delete|set)\b.*\b(add|remove|delete|set)\b/i;
const WRONG_VALUE = /^Invalid UpdateExpression: (Incorrect operand type|An expression attribute value used)/;
const WRONG_OPERAND = /^Invalid UpdateExpression: Incorrect operand type/;

const saysOf = (answer: Answer): string => {
  const [reason] = objectsOf(answer.body.CancellationReasons).filter(
    ({ Code }) => Code === 'ValidationError',
  );
  return String(reason?.Message ?? answer.refusal?.message ?? '');
};

function namesTwice({ asked }: Compared): boolean {
  const named = namedItems(asked).map(({ table, holder }) => stable({ table, holder }));
  return new Set(named).size < named.length;
}

function updates({ asked }: Compared): JsonObject[] {
  return expressionHolders(asked).filter(({ UpdateExpression }) => typeof UpdateExpression === 'string');
}

/** What an answer contains, whatever pages it came in. */
const withoutPages = (answer: Answer): string =>
  stable(
    ['pages', 'scanned', 'ConsumedCapacity'].reduce((rest, member) => withMember(rest, member, null), answer)
      .body,
  );

const unitsOf = ({ body: { ConsumedCapacity } }: Answer): number =>
  isObject(ConsumedCapacity) ? Number(ConsumedCapacity.CapacityUnits) : 0;

/** Differences of an engine that follows AWS from DynamoDB Local. */
export const dynamoDbLocalDiffers: readonly Accepted[] = [
  ...dynamoDbLocalWords,
  ...dynamoDbLocalOrder,
  {
    reason: 'DynamoDB Local fails without a reason where it cannot read a request',
    leavesOpen: ({ reference, candidate }) =>
      reference.refusal?.status === 500 && candidate.refusal?.status === 400,
  },
  {
    reason: 'DynamoDB Local puts a full stop behind the message of a failed ConditionCheck',
    instead: ({ reference }) =>
      reference.refusal && {
        ...reference,
        body: JSON.parse(JSON.stringify(reference.body).replaceAll('failed."', 'failed"')),
      },
  },
  {
    reason:
      'AWS cancels a transaction with reasons for what it finds against an item; DynamoDB Local refuses it whole',
    leavesOpen: (compared) =>
      inTransaction(compared) &&
      compared.candidate.refusal?.code === 'TransactionCanceledException' &&
      AGAINST_THE_ITEM.test(compared.reference.refusal?.message ?? ''),
  },
  {
    reason: 'AWS tells of what is invalid alone, and in its words; DynamoDB Local of conditions beside it',
    leavesOpen: cancelsAlike,
  },
  {
    reason: 'AWS gives the reasons of a transaction that reads, DynamoDB Local only the message of one',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.operation === 'TransactGetItems' &&
      reference.refusal?.code === 'TransactionCanceledException' &&
      reference.body.CancellationReasons === undefined &&
      candidate.refusal?.code === 'TransactionCanceledException',
  },
  {
    reason: 'Which of several faults of an update in the item is told is left open',
    leavesOpen: (compared) =>
      IN_CARRYING_OUT.test(saysOf(compared.reference)) &&
      IN_CARRYING_OUT.test(saysOf(compared.candidate)) &&
      updates(compared).some(({ UpdateExpression }) => SEVERAL_OPERANDS.test(String(UpdateExpression))),
  },
  {
    reason: 'Which of several wrong operands of an update is told is left open',
    leavesOpen: ({ reference, candidate }) =>
      [reference, candidate].every(({ refusal }) => WRONG_OPERAND.test(refusal?.message ?? '')) ||
      [reference, candidate].every(({ refusal }) => WRONG_VALUE.test(refusal?.message ?? '')),
  },
  {
    reason: 'DynamoDB Local comes to an item that is named twice only after what is wrong with it once',
    leavesOpen: (compared) =>
      inTransaction(compared) &&
      namesTwice(compared) &&
      compared.reference.refusal !== undefined &&
      /cannot include multiple operations on one item$/.test(compared.candidate.refusal?.message ?? ''),
  },
  {
    reason: 'DynamoDB Local shows the bounds of BETWEEN as they were written, and Java objects for bytes',
    leavesOpen: ({ reference, candidate }) => {
      const [expected, actual] = [reference, candidate].map(({ refusal }) => refusal?.message.split(BOUNDS));
      return expected?.length === 2 && actual?.length === 2 && expected[0] === actual[0];
    },
  },
  {
    reason: 'Whether a projection or a filter is told that an index does not fit is left open',
    leavesOpen: ({ reference, candidate }) =>
      [reference, candidate].every(({ refusal }) =>
        /ndex \S+ does not project /.test(refusal?.message ?? ''),
      ),
  },
  {
    reason: 'Where a scan goes on that was begun nowhere is left open, as its order is',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.operation === 'Scan' &&
      isObject(asked.input.ExclusiveStartKey) &&
      !reference.refusal &&
      !candidate.refusal,
  },
  {
    reason: 'Which items a page of a scan holds is left open, as its order is',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.operation === 'Scan' &&
      asked.walk !== true &&
      isObject(reference.body.LastEvaluatedKey) &&
      isObject(candidate.body.LastEvaluatedKey),
  },
  {
    reason: 'Where the pages of a scan end that are cut by their size is left open, as its order is',
    instead: ({ asked, reference, candidate }) =>
      asked.operation === 'Scan' && asked.walk === true
        ? ['pages', 'scanned'].reduce(
            (answer, member) => withMember(answer, member, candidate.body[member]),
            reference,
          )
        : undefined,
  },
  {
    reason: 'DynamoDB Local does not look at the names of tables in transactions that read',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.operation === 'TransactGetItems' &&
      reference.refusal?.code === 'ResourceNotFoundException' &&
      /^Invalid table\/index name/.test(candidate.refusal?.message ?? ''),
  },
  {
    reason: 'Which of the faults of several actions is told is left open',
    leavesOpen: ({ asked, reference, candidate }) =>
      objectsOf(asked.input.TransactItems).length > 1 &&
      [/^Invalid \w+Expression: /, AGAINST_THE_ITEM].some((one) =>
        one.test(reference.refusal?.message ?? ''),
      ) &&
      /^(ValidationException|ResourceNotFoundException)$/.test(candidate.refusal?.code ?? ''),
  },
  {
    reason: 'DynamoDB Local takes the placeholder of a value for a name behind a dot',
    leavesOpen: ({ reference, candidate }) =>
      reference.refusal !== undefined &&
      /Syntax error; token: ":\w+", near: "\./.test(candidate.refusal?.message ?? ''),
  },
  {
    reason: 'Whose key a path leads into is left open where an index is read',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.input.IndexName !== undefined &&
      [reference, candidate].every(({ refusal }) =>
        /^(Key attributes must be scalars|KeyConditionExpressions cannot have conditions on nested)/.test(
          refusal?.message ?? '',
        ),
      ),
  },
  {
    reason: 'DynamoDB Local counts what an index does not hold of its items',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.input.IndexName !== undefined &&
      stable(withMember(reference, 'ConsumedCapacity', null).body) ===
        stable(withMember(candidate, 'ConsumedCapacity', null).body) &&
      unitsOf(candidate) < unitsOf(reference),
  },
  {
    reason: 'DynamoDB Local does not see all operands of a filter that its index does not project',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.input.IndexName !== undefined &&
      !reference.refusal &&
      /does not project one or more filter attributes: /.test(candidate.refusal?.message ?? ''),
  },
  {
    reason: "AWS says how many faults of the service's model it has found",
    leavesOpen: ({ reference, candidate }) =>
      candidate.refusal?.message.replaceAll("'", '') ===
      `1 validation error detected: ${reference.refusal?.message.replaceAll("'", '')}`,
  },
  {
    reason: 'DynamoDB Local counts the bytes of a transaction otherwise',
    leavesOpen: ({ reference, candidate }) =>
      [reference, candidate].every(({ refusal }) =>
        /^Transaction payload size cannot exceed 4MB. Payload Size: \d+$/.test(refusal?.message ?? ''),
      ),
  },
  {
    reason: 'DynamoDB Local counts the capacity of transactions, batches and empty reads otherwise than AWS',
    instead({ asked, reference, candidate }) {
      const counted = ['TransactWriteItems', 'BatchWriteItem', 'BatchGetItem'].includes(asked.operation);
      const empty = reference.body.ScannedCount === 0;
      if (!counted && !empty) return undefined;
      return withMember(reference, 'ConsumedCapacity', candidate.body.ConsumedCapacity);
    },
  },
  {
    reason: 'DynamoDB Local tells the capacity of a DeleteItem unasked',
    instead: ({ asked, reference }) =>
      asked.operation === 'DeleteItem' && /undefined|NONE/.test(String(asked.input[CAPACITY]))
        ? withMember(reference, 'ConsumedCapacity', undefined)
        : undefined,
  },
  {
    reason: 'DynamoDB Local names no last key where a page ends at the bound of BETWEEN, <= or >=',
    instead: ({ asked, reference, candidate }) =>
      asked.operation === 'Query' && /between|<=|>=/i.test(String(asked.input.KeyConditionExpression))
        ? ['LastEvaluatedKey', 'pages', 'scanned'].reduce(
            (answer, member) => withMember(answer, member, candidate.body[member]),
            reference,
          )
        : undefined,
  },
  {
    reason:
      'A query of a table without a range key finds one item at most; a last key behind it is left open',
    instead: ({ asked, reference, candidate }) =>
      asked.operation === 'Query' &&
      (reference.body.order ?? null) === null &&
      Number(reference.body.ScannedCount) <= 1 &&
      asked.input.IndexName === undefined
        ? ['LastEvaluatedKey', 'pages', 'scanned'].reduce(
            (answer, member) => withMember(answer, member, candidate.body[member]),
            reference,
          )
        : undefined,
  },
  {
    reason: 'DynamoDB Local counts a write to an index of which the item holds but one part of the key',
    leavesOpen: ({ asked, reference, candidate }) =>
      ['PutItem', 'UpdateItem', 'DeleteItem'].includes(asked.operation) &&
      stable(withMember(reference, 'ConsumedCapacity', null).body) ===
        stable(withMember(candidate, 'ConsumedCapacity', null).body) &&
      unitsOf(candidate) < unitsOf(reference),
  },
  {
    reason:
      'A filter of DynamoDB Local reads attributes that its index does not project, where a path leads into them',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.input.IndexName !== undefined &&
      NESTED_PATH.test(String(asked.input.FilterExpression)) &&
      !reference.refusal &&
      !candidate.refusal &&
      reference.body.ScannedCount === candidate.body.ScannedCount,
  },
  {
    reason: 'Which of several undefined placeholders is told is left open',
    leavesOpen: ({ reference, candidate }) =>
      [reference, candidate].every(({ refusal }) =>
        /is not defined; attribute (name|value): /.test(refusal?.message ?? ''),
      ),
  },
  {
    reason: 'Of a nested path AWS returns only what was updated, DynamoDB Local the whole attribute',
    leavesOpen: (compared) =>
      /^UPDATED_/.test(String(compared.asked.input.ReturnValues)) &&
      updates(compared).some(({ UpdateExpression }) => NESTED_PATH.test(String(UpdateExpression))) &&
      !compared.reference.refusal &&
      !compared.candidate.refusal &&
      stable(compared.reference.body.ConsumedCapacity) === stable(compared.candidate.body.ConsumedCapacity) &&
      isPartOf(compared.candidate.body.Attributes ?? {}, compared.reference.body.Attributes ?? {}),
  },
  {
    reason: 'DynamoDB Local lets an update give an index key a wrong type',
    leavesOpen: (compared) =>
      updates(compared).length > 0 &&
      !/Index Key/.test(JSON.stringify(compared.reference)) &&
      /Type mismatch for Index Key/.test(JSON.stringify(compared.candidate)),
  },
  {
    reason: 'AWS refuses empty placeholders; DynamoDB Local takes them where there is no expression',
    leavesOpen: ({ asked, candidate: { refusal } }) =>
      /^ExpressionAttribute(Names|Values) (must not be empty|contains invalid|can only be specified)/.test(
        refusal?.message ?? '',
      ) && expressionHolders(asked).some((holder) => PLACEHOLDERS.some((member) => isObject(holder[member]))),
  },
  {
    reason: 'DynamoDB Local does not look at ReturnConsumedCapacity, AWS refuses what it cannot be',
    leavesOpen: ({ candidate: { refusal } }) =>
      /'returnConsumedCapacity' failed/.test(refusal?.message ?? ''),
  },
  {
    reason: UNKNOWN_TO_ENGINE,
    leavesOpen: ({ candidate: { refusal } }) =>
      /^The embedded engine does not support /.test(refusal?.message ?? ''),
  },
  {
    reason: 'DynamoDB Local takes an empty expression for none where values come with it',
    leavesOpen: ({ asked, reference, candidate }) =>
      ['FilterExpression', 'ConditionExpression'].some((member) => asked.input[member] === '') &&
      /can only be specified when using expressions: \w+ is null$/.test(reference.refusal?.message ?? '') &&
      /^Invalid \w+Expression: The expression can not be empty;$/.test(candidate.refusal?.message ?? ''),
  },
  {
    reason: 'DynamoDB Local names paths that do not overlap where others do',
    leavesOpen: ({ reference, candidate }) =>
      [reference, candidate].every(({ refusal }) =>
        /^Invalid \w+Expression: Two document paths overlap with each other;/.test(refusal?.message ?? ''),
      ),
  },
  {
    reason: 'AWS ends a page at 1 MB before it filters, DynamoDB Local counts only what the filter leaves',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.walk === true &&
      asked.input.FilterExpression !== undefined &&
      Number(candidate.body.pages) > Number(reference.body.pages) &&
      ['pages', 'scanned'].every((member) => reference.body[member] !== undefined) &&
      withoutPages(reference) === withoutPages(candidate),
  },
  {
    reason: 'Which of two faults is told is left open',
    leavesOpen: ({ asked, reference, candidate }) =>
      (asked.faults ?? 0) > 1 && reference.refusal !== undefined && candidate.refusal !== undefined,
  },
  {
    reason: 'An action of a transaction without its table or key: AWS names it in words of its own',
    leavesOpen: ({ asked, reference, candidate }) =>
      objectsOf(asked.input.TransactItems).length > 0 &&
      (/Member must not be null$|^Requested resource not found$/.test(reference.refusal?.message ?? '') ||
        /Member must not be null$/.test(candidate.refusal?.message ?? '')) &&
      candidate.refusal?.code === reference.refusal?.code,
  },
];
