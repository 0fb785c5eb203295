// Whether the table can store the caller's own JSON of a record, exactly and within its limits.
import { isStorable, isStorableName, walkJson } from '#platform/walk-json.ts';

/** How deep the value of a field may nest; its own object or list is the first level. */
const FIELD_MAX_DEPTH = 20;
/** The most bytes of JSON that the fields of a record may take. */
const FIELDS_MAX_BYTES = 358_400;
/** An item holds 400 KB; the rest is for what a record has besides its fields, including a vector of 4,096 bytes. */
const STORED_MAX_BYTES = 395_000;
/** The smallest magnitude of a number in the table. */
const MIN_MAGNITUDE = 1e-130;
const MALFORMED = 'has text that is not well-formed Unicode';

/** Why the fields of a record or the metadata of a relationship cannot be stored exactly; undefined when they can. */
export function whyNotStorable(fields: unknown): string | undefined {
  let stored = 0;
  const fault = walkJson(fields, (value, path) => {
    stored += storedBytes(value);
    const isTooDeep = path.length > FIELD_MAX_DEPTH && typeof value === 'object' && value !== null;
    const tooDeep = isTooDeep ? `nested deeper than ${FIELD_MAX_DEPTH} levels` : undefined;
    return nameFault(path.at(-1)) ?? faultOf(value) ?? tooDeep;
  });
  if (fault) return fault;
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

function nameFault(key: string | number | undefined): string | undefined {
  if (typeof key !== 'string' || isStorableName(key)) return undefined;
  return key === '__proto__' ? 'has a field named __proto__' : MALFORMED;
}

function faultOf(value: unknown): string | undefined {
  if (typeof value === 'number') return numberFault(value);
  return isStorable(value) ? undefined : MALFORMED;
}

function numberFault(value: number): string | undefined {
  const size = Math.abs(value);
  if (!(size <= Number.MAX_SAFE_INTEGER)) return 'has a number beyond 2^53: send it as a string';
  return size > 0 && size < MIN_MAGNITUDE ? 'has a number too close to 0' : undefined;
}
