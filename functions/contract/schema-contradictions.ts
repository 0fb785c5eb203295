// Keywords of one place of a schema that no value can fulfil together: data made by it would always lack the place.
import { type OutputScalar, type OutputSchema, outputLimits, typeOf } from './output-schema.ts';

interface Contradiction {
  path: string[];
  message: string;
}

/** The contradictions of a place, apart from the places below it (rules.md: output 9). */
export function contradictionsIn(schema: OutputSchema): Contradiction[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  const type = typeOf(schema);
  return [
    ...crossed(minLength, maxLength, 'minLength', 'maxLength'),
    ...crossed(minItems, maxItems, 'minItems', 'maxItems'),
    ...crossed(minimum, maximum, 'minimum', 'maximum'),
    ...(type === 'integer' && hasNoInteger(schema)
      ? [{ path: ['minimum'], message: 'No integer lies between minimum and maximum' }]
      : []),
    ...((minItems ?? 0) > outputLimits.elements_max
      ? [{ path: ['minItems'], message: `An array has at most ${outputLimits.elements_max} elements` }]
      : []),
    ...(schema.enum && !schema.enum.some((value) => isOfType(schema, value))
      ? [{ path: ['enum'], message: `No value is of type ${type}` }]
      : []),
  ];
}

function crossed(
  least: number | undefined,
  most: number | undefined,
  name: string,
  other: string,
): Contradiction[] {
  if (least === undefined || most === undefined || least <= most) return [];
  return [{ path: [name], message: `${name} is more than ${other}` }];
}

function hasNoInteger({ minimum, maximum }: OutputSchema): boolean {
  if (minimum === undefined || maximum === undefined || minimum > maximum) return false;
  return Math.ceil(minimum) > Math.floor(maximum);
}

function isOfType(schema: OutputSchema, value: OutputScalar): boolean {
  const type = typeOf(schema);
  if (type === undefined) return true;
  if (value === null) return Array.isArray(schema.type);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}
