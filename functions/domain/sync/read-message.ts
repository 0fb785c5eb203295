// Parses raw bytes into a sync message: encoding, syntax, depth and storable values, then the schema.
import type * as z from 'zod';
import { limits } from '#contract/limits.ts';
import { SyncMessage } from '#contract/sync.ts';
import { inexactLiteral, markInexact } from '#platform/exact-numbers.ts';
import { FINITE_MAGNITUDES, type JsonFault, jsonFault } from '#platform/json-faults.ts';
import { nestingOf } from '#platform/json-nesting.ts';
import { type JsonPath, walkJson } from '#platform/walk-json.ts';
import { SyncError } from './sync-error.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
/** Type and id are part of table keys, which have at most 2048 bytes. */
const MAX_IDENTITY_BYTES = 1500;

/** Whether a resource of this type and id can exist. */
export function isIdentity(type: string, id: string): boolean {
  return id !== '' && Buffer.byteLength(type) + Buffer.byteLength(id) <= MAX_IDENTITY_BYTES;
}

/**
 * The message in a body. Throws SyncError invalid_payload for malformed UTF-8 or JSON, a value that cannot be stored, a
 * missing or invalid field, data of another resource, and a create or update without data (rules.md: sync 10).
 */
export async function readMessage(body: Uint8Array): Promise<SyncMessage> {
  const message = await readShape(SyncMessage, body);
  const { resource, operation, data, fetch_url } = message;
  if (!isIdentity(resource.type, resource.id))
    throw new SyncError('invalid_payload', 'resource.type and resource.id are too long.');
  if (data && (data.type !== resource.type || data.id !== resource.id))
    throw new SyncError('invalid_payload', 'data.type and data.id must be those of resource.');
  if (operation !== 'delete' && !data && fetch_url === undefined)
    throw new SyncError('invalid_payload', `A ${operation} needs data or fetch_url.`);
  return message;
}

/** The JSON of a body, checked against a schema. Throws SyncError invalid_payload with the path of the first fault. */
export async function readShape<S extends z.ZodType>(schema: S, body: Uint8Array): Promise<z.output<S>> {
  const result = schema.safeParse(await readJson(body));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.map(String).join('.') || 'body';
  throw new SyncError('invalid_payload', `${path}: ${issue?.message ?? 'invalid shape'}`);
}

const BOUNDS = { levels: limits.json_max_depth, magnitudes: FINITE_MAGNITUDES };
const faults: Readonly<Record<JsonFault, string>> = {
  malformed: 'A text is not valid Unicode.',
  deep: `The body nests deeper than ${BOUNDS.levels} levels.`,
  number: 'A number is too large.',
};

function faultOf(member: unknown, path: JsonPath): string | undefined {
  if (inexactLiteral(member) !== undefined)
    return `${path.join('.')}: A number has more digits than a double keeps.`;
  const fault = jsonFault(member, path, BOUNDS);
  return fault && faults[fault];
}

async function readJson(body: Uint8Array): Promise<unknown> {
  const value = await parse(body);
  const fault = walkJson(value, faultOf);
  if (fault) throw new SyncError('invalid_payload', fault);
  return value;
}

async function parse(body: Uint8Array): Promise<unknown> {
  try {
    const text = decoder.decode(body);
    if ((nestingOf(text) ?? 0) <= BOUNDS.levels) return JSON.parse(markInexact(text));
  } catch {
    throw new SyncError('invalid_payload', 'The body is not valid JSON in UTF-8.');
  }
  throw new SyncError('invalid_payload', faults.deep);
}
