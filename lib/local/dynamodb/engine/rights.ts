// The permissions that a DynamoDB request needs.
import type { Right } from '../../iam/statements.ts';
import { isObject, type Json, type JsonObject, listAt, objectAt } from '../../json-values.ts';
import { arn } from '../../template/attributes.ts';

const ACTION_IN_TRANSACTION: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** Each action of a transaction needs its own permission; a batch and a query need theirs on each table or index. */
export function rightsOf({ operation, input }: { operation: string; input: JsonObject }): Right[] {
  const tableArn = (table: Json | undefined) => arn('dynamodb', `table/${String(table).split('/').at(-1)}`);
  if (operation === 'TransactWriteItems') {
    return listAt(input.TransactItems, 'TransactItems').flatMap((item) =>
      Object.entries(objectAt(item, 'TransactItems')).map(([kind, inner]) => ({
        action: `dynamodb:${ACTION_IN_TRANSACTION[kind] ?? kind}`,
        resource: tableArn(isObject(inner) ? inner.TableName : undefined),
      })),
    );
  }
  const action = `dynamodb:${operation}`;
  if (operation === 'BatchGetItem' || operation === 'BatchWriteItem') {
    const tables = Object.keys(objectAt(input.RequestItems, 'RequestItems'));
    return tables.map((table) => ({ action, resource: tableArn(table) }));
  }
  if (
    operation === 'GetItem' ||
    operation === 'UpdateItem' ||
    operation === 'PutItem' ||
    operation === 'DeleteItem'
  )
    return [{ action, resource: tableArn(input.TableName), context: contextOf(input) }];
  const index = input.IndexName === undefined ? '' : `/index/${input.IndexName}`;
  return [{ action, resource: `${tableArn(input.TableName)}${index}` }];
}

/** Names in an expression that are no attributes: keywords and functions, in any case. */
const WORDS =
  /^(set|remove|add|delete|and|or|not|between|in|attribute_(not_)?exists|attribute_type|if_not_exists|list_append|size|begins_with|contains)$/i;

/** The partition key of a request for one item, which the SDK names first, and every attribute that it names. */
function contextOf(input: JsonObject): NonNullable<Right['context']> {
  const key = objectAt(input.Key ?? input.Item, 'Key');
  const [leading] = Object.values(key);
  const placeholders = isObject(input.ExpressionAttributeNames) ? input.ExpressionAttributeNames : {};
  const named = [input.UpdateExpression, input.ConditionExpression].flatMap((text) =>
    typeof text === 'string' ? (text.match(/(?<![:\w#])#?[A-Za-z_]\w*/g) ?? []) : [],
  );
  const attributes = named
    .filter((name) => !WORDS.test(name))
    .map((name) => String(placeholders[name] ?? name));
  return {
    'dynamodb:LeadingKeys': [isObject(leading) ? String(leading.S) : ''],
    'dynamodb:Attributes': [...Object.keys(key), ...attributes],
  };
}
