// Whether the table can store the caller's own JSON of a record, exactly and within its limits.
import { type JsonFault, jsonFault, STORED_MAGNITUDES } from '#platform/json-faults.ts';
import { walkJson } from '#platform/walk-json.ts';

/** How deep the value of a field may nest; its own object or list is the first level. */
const FIELD_MAX_DEPTH = 20;
const BOUNDS = {
  levels: FIELD_MAX_DEPTH + 1,
  magnitudes: [STORED_MAGNITUDES[0], Number.MAX_SAFE_INTEGER],
} as const;
const faults: Readonly<Record<JsonFault, string>> = {
  malformed: 'has text that is not well-formed Unicode',
  deep: `nested deeper than ${FIELD_MAX_DEPTH} levels`,
  number: 'has a number beyond 2^53, or too close to 0: send it as a string',
};
/** The most bytes of JSON that the fields of a record may take. */
const FIELDS_MAX_BYTES = 358_400;
/** An item holds 400 KB; the rest is for what a record has besides its fields, including a vector of 4,096 bytes. */
const STORED_MAX_BYTES = 395_000;

/** Why the fields of a record or the metadata of a relationship cannot be stored exactly; undefined when they can. */
export function whyNotStorable(fields: unknown): string | undefined {
  let stored = 0;
  const fault = walkJson(fields, (value, path) => {
    stored += storedBytes(value);
    return jsonFault(value, path, BOUNDS);
  });
  if (fault) return faults[fault];
  if (stored > STORED_MAX_BYTES)
    return `larger than an item of the table, ${STORED_MAX_BYTES} bytes as stored`;
  const bytes = Buffer.byteLength(JSON.stringify(fields) ?? '');
  return bytes > FIELDS_MAX_BYTES ? `larger than ${FIELDS_MAX_BYTES} bytes of JSON` : undefined;
}

/**
 * The bytes of a value in the table without its members: text in UTF-8, two digits per byte, one byte per member of an
 * object or list.
 */
function storedBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 1 + Math.ceil(String(value).length / 2);
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return 3 + value.length;
  return Object.keys(value).reduce((sum, key) => sum + 1 + Buffer.byteLength(key), 3);
}

/** Table keys have at most 2,048 bytes, workspace and source included. */
export const KEY_MAX_BYTES = 1900;
export const fitsKey = (name: string | undefined): boolean => Buffer.byteLength(name ?? '') <= KEY_MAX_BYTES;
