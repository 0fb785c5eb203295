// Whether the table can keep a JSON value exactly.

/** The table nests 32 deep; a record's own fields are two levels down. */
const MAX_DEPTH = 28;
const MAX_BYTES = 300_000;
/** The smallest magnitude of a number in the table. */
const MIN_MAGNITUDE = 1e-130;

/** Why a JSON value cannot be kept exactly; undefined when it can. Works on values of any depth. */
export function whyNotStorable(value: unknown): string | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
    for (const one of level) {
      const fault = faultOf(one);
      if (fault) return fault;
    }
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return Buffer.byteLength(JSON.stringify(value) ?? '') > MAX_BYTES
    ? `larger than ${MAX_BYTES} bytes`
    : undefined;
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
