// Whether the table can keep the caller's own JSON of a record, exactly and within its limits.

/** How deep the value of a field may nest: its own object or list is the first level. */
const FIELD_MAX_DEPTH = 20;
/** The most bytes of JSON that the fields of a record take. */
const FIELDS_MAX_BYTES = 358_400;
/** An item of the table holds 400 KB; the rest is for what a record has beside its fields, a vector of 4,096 bytes among it. */
const STORED_MAX_BYTES = 395_000;
/** The smallest magnitude of a number in the table. */
const MIN_MAGNITUDE = 1e-130;

/**
 * Why the fields of a record or the metadata of a relationship cannot be kept exactly; undefined when they can. Works on values of any
 * depth.
 */
export function whyNotStorable(fields: unknown): string | undefined {
  let level: unknown[] = [fields];
  let stored = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    const inner: unknown[] = [];
    for (const one of level) {
      const fault = faultOf(one);
      if (fault) return fault;
      stored += storedBytes(one);
      if (typeof one !== 'object' || one === null) continue;
      if (depth > FIELD_MAX_DEPTH) return `nested deeper than ${FIELD_MAX_DEPTH} levels`;
      for (const member of Object.values(one)) inner.push(member);
    }
    level = inner;
  }
  if (stored > STORED_MAX_BYTES)
    return `larger than an item of the table, ${STORED_MAX_BYTES} bytes as stored`;
  const bytes = Buffer.byteLength(JSON.stringify(fields) ?? '');
  return bytes > FIELDS_MAX_BYTES ? `larger than ${FIELDS_MAX_BYTES} bytes of JSON` : undefined;
}

/** What a value takes in the table without its members: text in UTF-8, two digits a byte, a byte for each member of an object or list. */
function storedBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 1 + Math.ceil(String(value).length / 2);
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return 3 + value.length;
  return Object.keys(value).reduce((sum, key) => sum + 1 + Buffer.byteLength(key), 3);
}

function faultOf(value: unknown): string | undefined {
  if (typeof value === 'number') return numberFault(value);
  if (typeof value === 'string') return textFault(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (Object.hasOwn(value, '__proto__')) return 'has a field named __proto__';
  return Object.keys(value).map(textFault).find(Boolean);
}

function numberFault(value: number): string | undefined {
  const size = Math.abs(value);
  if (!(size <= Number.MAX_SAFE_INTEGER)) return 'has a number beyond 2^53: send it as a string';
  return size > 0 && size < MIN_MAGNITUDE ? 'has a number too close to 0' : undefined;
}

function textFault(value: string): string | undefined {
  return value.isWellFormed() ? undefined : 'has text that is not well-formed Unicode';
}
