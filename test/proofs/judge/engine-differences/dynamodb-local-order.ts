// Of several faults in one request, DynamoDB Local looks for another one first than AWS does.
import type { Accepted } from './accepted.ts';

const KEY_CONDITION = /^Query (key condition not supported|condition missed key schema element)/;

/** Requests with several faults, of which each engine reports its first. */
export const dynamoDbLocalOrder: readonly Accepted[] = [
  {
    reason: 'DynamoDB Local looks at the token before the keys of a transaction',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.input.ClientRequestToken !== undefined &&
      reference.refusal?.code === 'IdempotentParameterMismatchException' &&
      /^(ValidationException|ResourceNotFoundException|TransactionCanceledException)$/.test(
        candidate.refusal?.code ?? '',
      ),
  },
  {
    reason: 'DynamoDB Local looks at what a failed condition returns before or after its expressions',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.input.ReturnValuesOnConditionCheckFailure !== undefined &&
      /'returnValuesOnConditionCheckFailure' failed/.test(reference.refusal?.message ?? '') &&
      candidate.refusal?.code === 'ValidationException',
  },
  {
    reason: 'DynamoDB Local looks at the condition before the paths that an update removes',
    leavesOpen: ({ reference, candidate }) =>
      reference.refusal?.code === 'ConditionalCheckFailedException' &&
      /Cannot update attribute \S+ This attribute is part of the key$/.test(candidate.refusal?.message ?? ''),
  },
  {
    reason: 'Which of several faults of a key condition is told is left open',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.operation === 'Query' &&
      [reference, candidate].every(({ refusal }) => KEY_CONDITION.test(refusal?.message ?? '')),
  },
  {
    reason: 'DynamoDB Local looks at unused placeholders before what Select requires',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.input.Select === 'SPECIFIC_ATTRIBUTES' &&
      /unused in expressions: keys: /.test(reference.refusal?.message ?? '') &&
      /^Must specify the AttributesToGet or ProjectionExpression when choosing/.test(
        candidate.refusal?.message ?? '',
      ),
  },
  {
    reason: 'DynamoDB Local looks at the bounds of BETWEEN before it has resolved all placeholders',
    leavesOpen: ({ reference, candidate }) =>
      /; lower bound operand: /.test(reference.refusal?.message ?? '') &&
      /is not defined; attribute (name|value): /.test(candidate.refusal?.message ?? ''),
  },
  {
    reason: 'DynamoDB Local looks at the names of tables in a transaction after its expressions',
    leavesOpen: ({ asked, reference, candidate }) =>
      asked.input.TransactItems !== undefined &&
      /^Invalid \w+Expression: /.test(reference.refusal?.message ?? '') &&
      /^Invalid table\/index name/.test(candidate.refusal?.message ?? ''),
  },
];
