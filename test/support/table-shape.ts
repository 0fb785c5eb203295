// The shape of the table as the stack's template declares it.
import { only, synthesize } from './synthesize.ts';

/** The properties of the template's table that CreateTable takes as they are; all but its name. */
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
