// Asks an engine: one call, or all pages of a read.
import { isObject, type Json, type JsonObject } from '../../../../lib/local/json-values.ts';
import type { Asked } from './asked.ts';
import type { Answer, ComparedEngine } from './engines.ts';

const MOST_PAGES = 200;
/** A request's token is valid for ten minutes, longer than its table exists: each replay has its own tokens. */
const OWN_TOKEN_BELOW = 20;

function withOwnToken(input: JsonObject, run: string): JsonObject {
  const token = input.ClientRequestToken;
  if (typeof token !== 'string' || token.length === 0 || token.length > OWN_TOKEN_BELOW) return input;
  return { ...input, ClientRequestToken: `${token}${run}` };
}

/** The engine's answer in its own run; the answers to all pages are merged. */
export async function answerTo(
  engine: ComparedEngine,
  { operation, input, walk }: Asked,
  run: string,
): Promise<Answer> {
  const first = await engine.ask(operation, withOwnToken(input, run));
  if (!walk || first.refusal) return first;
  const pages = [first.body];
  let last: Json | undefined = first.body.LastEvaluatedKey;
  while (isObject(last) && pages.length < MOST_PAGES) {
    const next = await engine.ask(operation, { ...input, ExclusiveStartKey: last });
    if (next.refusal) return next;
    pages.push(next.body);
    last = next.body.LastEvaluatedKey;
  }
  const sum = (member: 'Count' | 'ScannedCount') =>
    pages.reduce((total, page) => total + Number(page[member]), 0);
  const items = pages.flatMap((page) => (Array.isArray(page.Items) ? page.Items : []));
  return {
    body: {
      ...('Items' in first.body && { Items: items }),
      Count: sum('Count'),
      ScannedCount: sum('ScannedCount'),
      pages: pages.length,
      scanned: pages.map((page) => page.ScannedCount ?? null),
    },
  };
}
