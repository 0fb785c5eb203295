// The shape of the table in the stack's template.
import { only, synthesize } from './synthesize.ts';

/** The table properties that CreateTable accepts unchanged, without the name. */
export type TableShape = Record<
  'AttributeDefinitions' | 'KeySchema' | 'GlobalSecondaryIndexes' | 'BillingMode',
  unknown
>;

/** Synthesizes the stack, which takes a second or two, and reads its table. */
export function readTableShape(): TableShape {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, BillingMode } = only(
    synthesize(),
    'AWS::DynamoDB::Table',
  ).Properties;
  return { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, BillingMode };
}
