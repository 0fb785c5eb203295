// Messages that DynamoDB Local words differently from AWS: its own, and that of AWS.
import { type Accepted, type Compared, words } from './accepted.ts';
import { objectsOf } from './asked.ts';

const OWN_WORDS = 'DynamoDB Local words this otherwise than AWS does';

const wordings: readonly (readonly [RegExp, string | RegExp])[] = [
  [
    /^Cannot do operations on a non-existent table$/,
    /^Requested resource not found(: Table: \S+ not found)?$/,
  ],
  [
    /^(The number of conditions on the keys is invalid|One of the required keys was not given a value)$/,
    /^The provided key element does not match the schema$|: Missing the key \S+ in the item$/,
  ],
  [
    /^(One or more parameter values were invalid: Type mismatch for key|Invalid attribute value type)$/,
    /^The provided key element does not match the schema$|: Type mismatch for key \S+ expected: . actual: \w+$/,
  ],
  [
    /^(One or more parameter values were invalid: Type mismatch for Index Key|Invalid attribute value type)$/,
    /: Type mismatch for Index Key \S+ Expected: . Actual: \w+ IndexName: \S+$/,
  ],
  [
    /A value provided cannot be converted into a number/,
    /The parameter cannot be converted to a numeric value/,
  ],
  [
    /DynamoDB only supports precision up to 38 digits/,
    /Attempting to store more than 38 significant digits in a Number|Number overflow/,
  ],
  [
    /^Hash primary key values must be under 2048 bytes/,
    /Size of hashkey has exceeded|Aggregated size of all range keys has exceeded/,
  ],
  [
    /^One or more parameter values were invalid: Size limit exceeded$/,
    /Size of hashkey has exceeded|Aggregated size of all range keys has exceeded/,
  ],
  [
    /^Value null at '\w*tableName' failed to satisfy constraint: Member must not be null$/i,
    /^The parameter 'TableName' is required but was not present in the request$/,
  ],
  [
    /^(Cannot have null key for GetItem, DeleteItem, or UpdateItem|Get Condition for key not in key list)$/,
    /^1 validation error detected: Value null at 'key' failed|^The provided key element does not match the schema$/,
  ],
  [
    /^Item to put in PutItem cannot be null$/,
    /^1 validation error detected: Value null at 'item' failed|: Missing the key \S+ in the item$/,
  ],
  [
    /^(BatchGetItem must have some requests set|BatchWriteItem cannot have a null or no requests set)$/,
    /^1 validation error detected: Value .* at 'requestItems' failed to satisfy constraint: Member must/,
  ],
  [
    /^(Too many items requested for the BatchWriteItem call|Member must have length less than or equal to 100)$/,
    /failed to satisfy constraint: Member must have length less than or equal to \d+$/,
  ],
  [
    /^Value null at 'transactItems' failed to satisfy constraint: Member must not be null$/,
    /^1 validation error detected: Value (null|'\[\]') at 'transactItems(\.\d\.member\.get)?' failed/,
  ],
  [
    /^Limit must be greater than or equal to 1$/,
    /^1 validation error detected: Value '-?\d+' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1$/,
  ],
  [
    /^(Return values set to invalid value|Select must be ALL_ATTRIBUTES.*)$/,
    /failed to satisfy constraint: Member must satisfy enum value set|^ReturnValues can only be ALL_OLD or NONE$/,
  ],
  [
    /^(.*Input collection .*contains duplicates)\.?( for key \S+)?$/,
    /Input collection .*contains duplicates/,
  ],
  [
    /^Consistent read cannot be true when (querying|scanning) a GSI$/,
    'Consistent reads are not supported on global secondary indexes',
  ],
  [
    /^(Exclusive Start Key must have same size as table's key schema|Type mismatch for attribute to update|Invalid attribute value type|The provided starting key does not match the range key predicate|The provided starting key is invalid)$/,
    /^The provided starting key (is (invalid|outside query boundaries)|does not match the range key predicate)/,
  ],
  [/^Query condition missed key schema element$/, /^Query condition missed key schema element: \S+$/],
  [/Nesting Levels have exceeded supported limits/, /Nesting Levels have exceeded supported limits/],
  [
    /^The list of keys in RequestItems for BatchGetItem may not contain null or empty values/,
    /^The provided key element does not match the schema$/,
  ],
  [/^$/, /first request with this client request token$/],
];

/** Its messages that AWS words differently. */
export const dynamoDbLocalWords: readonly Accepted[] = wordings.map(([local, aws]) =>
  words(OWN_WORDS, local, aws),
);

/** Whether two cancellations are equal, except for wording and for what accompanies the invalid part. */
export function cancelsAlike({ reference, candidate }: Compared): boolean {
  const [expected, actual] = [reference, candidate].map(({ body }) => objectsOf(body.CancellationReasons));
  if (!expected || !actual || expected.length === 0) return false;
  // Of an action that would change a key, DynamoDB Local gives the reason alone, without those of others in their
  // places.
  const isAlone = expected.length === 1 && /Cannot update attribute/.test(String(expected[0]?.Message));
  if (isAlone)
    return actual.every(({ Code, Message }) => Code === 'None' || Message === expected[0]?.Message);
  if (expected.length !== actual.length) return false;
  const invalidAt = expected.findIndex(({ Code }) => Code === 'ValidationError');
  if (invalidAt < 0) return false;
  return actual.every(({ Code, Message }, at) => {
    if (at !== invalidAt) return Code === 'None';
    const said = String(expected[at]?.Message);
    const isWorded = wordings.some(
      ([local, aws]) => local.test(said) && typeof aws !== 'string' && aws.test(String(Message)),
    );
    return Code === 'ValidationError' && (Message === said || isWorded);
  });
}
