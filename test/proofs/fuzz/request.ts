// One fuzzed request: made from the document, then, more often than not, spoiled in one or two places.
import { createHash, createHmac } from 'node:crypto';
import type { Random } from '../random.ts';
import { fitting, type Operation, operations, type Schema } from './document.ts';
import { flood } from './floods.ts';
import {
  headerNames,
  headerValues,
  hostileBody,
  hostileValue,
  mutated,
  paths,
  queries,
  strings,
} from './hostile.ts';

/** What exists in the service under test; ids by the name of the path parameter or its operation. */
export interface Pool {
  api_key: string;
  /** Keys that are wrong in their own ways: revoked, expired, without scopes, of another workspace. */
  other_keys: readonly string[];
  runs: readonly string[];
  artifacts: readonly string[];
  notes: readonly string[];
  event_ids: readonly string[];
  cursors: readonly string[];
  tokens: readonly string[];
  bridge: { id: string; secret: string };
  refs: readonly object[];
}

export interface FuzzedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  /** Whether path or size may have kept the request from its route, so that the gateway answers. */
  astray: boolean;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;

function pathValue(random: Random, operation: Operation, name: string, pool: Pool): string {
  if (random.chance(0.2)) return encodeURIComponent(random.pick(strings).toWellFormed());
  if (name === 'bridge_id') return pool.bridge.id;
  if (name === 'event_id') return random.pick(pool.event_ids);
  if (name === 'page') return random.pick(['errors', 'style.css', 'nothing']);
  if (operation.id === 'GetArtifact') return random.pick(pool.artifacts);
  if (operation.id === 'GetNote') return random.pick(pool.notes);
  return random.pick(pool.runs);
}

function hostileText(random: Random): string {
  const value = hostileValue(random);
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
}

function queryValue(random: Random, name: string, schema: Schema, pool: Pool): string {
  if (random.chance(0.3)) return hostileText(random);
  switch (name) {
    case 'cursor':
      return random.pick(pool.cursors);
    case 'event_token':
      return random.pick(pool.tokens);
    case 'last_event_id':
      return random.pick(pool.event_ids);
    case 'refs': {
      const refs = [random.pick(pool.refs), random.pick(pool.refs)];
      return JSON.stringify(random.chance(0.5) ? mutated(random, refs) : refs);
    }
    default:
      return String(fitting(random, schema));
  }
}

function query(random: Random, operation: Operation, pool: Pool): string {
  if (random.chance(0.15)) return random.pick(queries);
  const sent = new URLSearchParams();
  for (const { name, in: place, schema } of operation.parameters) {
    if (place !== 'query') continue;
    const wanted = name === 'event_token' || name === 'refs' ? 0.9 : 0.4;
    for (let share = wanted; random.chance(share); share = 0.05)
      sent.append(name, queryValue(random, name, schema, pool));
  }
  return sent.size > 0 ? `?${sent}` : '';
}

function authorization(random: Random, pool: Pool): string | undefined {
  if (random.chance(0.85)) return `Bearer ${pool.api_key}`;
  if (random.chance(0.6)) return `Bearer ${random.pick(pool.other_keys)}`;
  return random.chance(0.5) ? undefined : random.pick(headerValues);
}

function headers(random: Random, operation: Operation, pool: Pool): Record<string, string> {
  const found: Record<string, string> = {};
  const bearer = authorization(random, pool);
  if (bearer !== undefined) found.Authorization = bearer;
  if (operation.body) found['Content-Type'] = 'application/json';
  for (const { name, in: place } of operation.parameters) {
    if (place !== 'header' || !random.chance(0.3)) continue;
    if (name === 'Last-Event-ID') found[name] = random.pick(pool.event_ids);
    else if (name === 'X-Webhook-Timestamp') found[name] = new Date().toISOString();
    else found[name] = random.pick(['k-1', 'k-2', 'k-3', ...headerValues]);
  }
  if (random.chance(0.1)) found[random.pick(headerNames)] = random.pick(headerValues);
  return found;
}

function body(random: Random, operation: Operation, pool: Pool): string | Buffer | undefined {
  if (!operation.body) return random.chance(0.05) ? hostileBody(random) : undefined;
  if (random.chance(0.12)) return hostileBody(random);
  let value = withKnownIds(random, fitting(random, operation.body), pool);
  for (let share = 0.6; random.chance(share); share = 0.3) value = mutated(random, value);
  return JSON.stringify(value);
}

/** Puts records that exist where a plan or preset names an entity. */
function withKnownIds(random: Random, value: unknown, pool: Pool): unknown {
  if (typeof value !== 'object' || value === null || !('params' in value)) return value;
  const { params } = value;
  if (typeof params !== 'object' || params === null || !('entity' in params)) return value;
  return random.chance(0.7) ? { ...value, params: { ...params, entity: random.pick(pool.refs) } } : value;
}

/** Operations by how much there is behind them: creating a run has the largest body and the most rules. */
const WEIGHTS: Readonly<Record<string, number>> = {
  CreateRun: 6,
  RerunRun: 2,
  ListEvents: 2,
  StreamEvents: 2,
  ResolveEntities: 2,
  ReceiveSync: 3,
};
const weighted = operations.flatMap((operation) =>
  Array.from({ length: WEIGHTS[operation.id] ?? 1 }, () => operation),
);

/** The headers that make a sync message genuine, so that its body is read. */
function signed(message: string | Buffer | undefined, secret: string): Record<string, string> {
  const key = createHash('sha256').update(secret).digest('hex');
  const mac = createHmac('sha256', key)
    .update(message ?? '')
    .digest('hex');
  return { 'X-Webhook-Signature': `sha256=${mac}`, 'X-Webhook-Timestamp': new Date().toISOString() };
}

/** The request of a seed's index; one body in `floods` asks for as much work as it can (0: none). */
export function fuzzedRequest(random: Random, pool: Pool, floods: number): FuzzedRequest {
  const operation = random.pick(weighted);
  const stray = random.chance(0.05);
  const path = stray
    ? random.pick(paths)
    : operation.path.replace(/\{(\w+)\}/g, (_, name) => pathValue(random, operation, name, pool)) +
      query(random, operation, pool);
  const method = random.chance(0.03) ? random.pick(METHODS) : operation.method;
  const flooded = operation.body && floods > 0 && random.chance(1 / floods);
  const sent = method === 'HEAD' ? undefined : flooded ? flood(random) : body(random, operation, pool);
  const genuine = operation.id === 'ReceiveSync' && random.chance(0.8);
  const all = {
    ...headers(random, operation, pool),
    ...(genuine && signed(sent, pool.bridge.secret)),
  };
  const size = Object.entries(all).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    path.length,
  );
  return {
    method,
    path,
    headers: all,
    body: sent,
    astray: stray || /%2f|%5c|%2e|\/\//i.test(path) || size > 8000,
  };
}
