// Batches that DynamoDB processes only partly, as it does when throughput is short. The embedded engine does so only
// beyond 16 MB.
import type { AwsReply } from '../../../lib/local/aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from '../../../lib/local/aws-endpoint/aws-request.ts';
import { isObject, type Json, listAt, objectAt, parseObject } from '../../../lib/local/json-values.ts';
import type { Forward } from './observed-services.ts';

const LEFT: Readonly<Record<string, string>> = {
  BatchGetItem: 'UnprocessedKeys',
  BatchWriteItem: 'UnprocessedItems',
};

/** Processes the first half of a batch; the reply lists the rest as unprocessed. Other requests pass unchanged. */
export async function partly(request: AwsRequest, forward: Forward): Promise<AwsReply> {
  const left = LEFT[request.operation];
  if (left === undefined) return forward(request);
  const parts = Object.entries(objectAt(request.input.RequestItems, 'RequestItems')).map(
    ([table, asked]) => [table, ...halves(asked)] as const,
  );
  const RequestItems = Object.fromEntries(parts.map(([table, first]) => [table, first]));
  const input = { ...request.input, RequestItems };
  const reply = await forward({ ...request, input });
  if (reply.status !== 200) return reply;
  const unprocessed = Object.fromEntries(
    parts.flatMap(([table, , rest]) => (rest === undefined ? [] : [[table, rest] as const])),
  );
  const output = { ...parseObject(reply.body.toString(), request.operation), [left]: unprocessed };
  return { status: reply.status, headers: {}, body: JSON.stringify(output) };
}

/**
 * Splits the request for one table in two: its keys with other fields, or its list of writes. The second is undefined
 * when nothing is left for it.
 */
function halves(asked: Json | undefined): [first: Json, rest: Json | undefined] {
  if (isObject(asked)) {
    const [first, rest] = halves(asked.Keys);
    return [{ ...asked, Keys: first }, rest && { ...asked, Keys: rest }];
  }
  const all = listAt(asked, 'RequestItems');
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), middle < all.length ? all.slice(middle) : undefined];
}
