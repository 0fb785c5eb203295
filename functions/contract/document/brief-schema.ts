// A JSON schema in fewer characters, for agents that pay for each: it accepts what the whole one accepts, and refuses
// the same fields, kinds and operators. Lengths of texts and lists are left to the service.
export type Schema = Readonly<Record<string, unknown>>;

const REFERENCE = '#/$defs/';
/** What an agent can do without: examples and lengths are in the whole schema. */
const LEFT_OUT = new Set([
  '$schema',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
  'propertyNames',
  'pattern',
  'exclusiveMinimum',
  'format',
  'examples',
  'x-enum-varnames',
]);
/** A definition, or a field that stands in several objects, is worth a reference from this length on. */
const SHARED_FROM_CHARACTERS = 80;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown) => JSON.stringify(value);

/** The schema with its definitions; `replaced` has what stands in place of some. */
export function briefSchema(schema: Schema, replaced: Readonly<Record<string, Schema>> = {}): Schema {
  const { $defs, ...root } = schema;
  const definitions: Schema = { ...Object($defs), ...replaced };
  const shared = sharedNames(root, definitions);
  const brief = shortener(definitions, shared);
  const own = Object.fromEntries([...shared].map((name) => [name, brief(definitions[name])]));
  return withSharedFields({ ...Object(brief(root)), ...(shared.size > 0 && { $defs: own }) });
}

/** Definitions that several places refer to; any other stands where it is used. */
function sharedNames(root: Schema, definitions: Schema): Set<string> {
  const times = new Map<string, number>();
  const count = (value: unknown): void => {
    for (const [, name = ''] of textOf(value).matchAll(/"#\/\$defs\/(\w+)"/g)) {
      times.set(name, (times.get(name) ?? 0) + 1);
      if (times.get(name) === 1) count(definitions[name]);
    }
  };
  count(root);
  const isLong = (name: string) => textOf(definitions[name]).length > SHARED_FROM_CHARACTERS;
  return new Set([...times].filter(([name, n]) => n > 1 && isLong(name)).map(([name]) => name));
}

/** What shortens a part of the schema. */
function shortener(definitions: Schema, shared: ReadonlySet<string>) {
  const brief = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(brief);
    if (!isSchema(value)) return value;
    const { $ref, ...rest } = value;
    const name = typeof $ref === 'string' ? $ref.slice(REFERENCE.length) : undefined;
    if (name === undefined) return factored(Object.fromEntries(membersOf(value)));
    return shared.has(name) ? { $ref } : brief({ ...Object(definitions[name]), ...rest });
  };
  const membersOf = (schema: Schema) =>
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (LEFT_OUT.has(key) || isSelfEvident(key, value, schema)) return [];
      if (key === 'description') return [[key, beginning(String(value))]];
      if (key === 'properties') return [[key, eachOf(value, brief)]];
      return [[key, key === 'default' ? value : brief(value)]];
    });
  return brief;
}

/** From here on a bound only keeps mistakes out. */
const LARGE = 1_000;

/** The type of a value that is named, a bound that is never reached, a default that is nothing or long. */
function isSelfEvident(key: string, value: unknown, schema: Schema): boolean {
  if (key === 'type') return 'const' in schema || 'enum' in schema;
  if (key === 'minimum') return Number(value) <= 1;
  if (key === 'maximum') return Number(value) > LARGE;
  return key === 'default' && (!value || textOf(value).length > SHARED_FROM_CHARACTERS);
}

const eachOf = (properties: unknown, change: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(Object(properties)).map(([name, value]) => [name, change(value, name)]));

/** What comes after the first full stop or semicolon is a default, an exception or a bound. */
const beginning = (text: string) => /^[^;]*?(?=;|\.(?: [A-Z`]|$))/s.exec(text)?.[0] ?? text;

/**
 * Objects of a choice that have the same fields become one object, in which the choice is of what differs. A choice of
 * one is no choice.
 */
function factored(schema: Schema): Schema {
  const { oneOf, anyOf = oneOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const alike = Map.groupBy(anyOf.filter(isSchema), (choice) =>
    isSchema(choice.properties) ? textOf(Object.keys(choice.properties)) : choice,
  );
  const choices = [...alike.values()].map(joined);
  return choices.length === 1 ? { ...choices[0], ...rest } : { ...rest, anyOf: choices.map(open) };
}

/** What a choice requires tells it from the others. */
function open({ additionalProperties, ...choice }: Schema): Schema {
  return choice.required === undefined ? { ...choice, additionalProperties } : choice;
}

function joined(variants: Schema[]): Schema {
  const [first = {}] = variants;
  if (variants.length === 1) return first;
  const fieldOf = (variant: Schema, name: string): unknown => Reflect.get(Object(variant.properties), name);
  const isCommon = (name: string) =>
    variants.every((variant) => textOf(fieldOf(variant, name)) === textOf(fieldOf(first, name)));
  const requiredBy = ({ required }: Schema) => (Array.isArray(required) ? required.map(String) : []);
  const names = Object.keys(Object(first.properties));
  const required = requiredBy(first).filter((name) =>
    variants.every((variant) => requiredBy(variant).includes(name)),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, isCommon(name) ? fieldOf(first, name) : {}])),
    required,
    additionalProperties: false,
    anyOf: variants.map((variant) => {
      const own = requiredBy(variant).filter((name) => !required.includes(name));
      const differing = names.filter((name) => !isCommon(name));
      return {
        properties: Object.fromEntries(differing.map((name) => [name, fieldOf(variant, name)])),
        ...(own.length > 0 && { required: own }),
      };
    }),
  };
}

/** A field that several objects have in the same words is defined once, under its name. */
function withSharedFields(schema: Schema): Schema {
  const named = new Map<string, string>();
  const seen = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    if (!isSchema(value)) return;
    for (const [name, field] of Object.entries(Object(value.properties))) {
      const text = textOf(field);
      if (seen.has(text) && text.length > SHARED_FROM_CHARACTERS && !named.has(text)) named.set(text, name);
      seen.add(text);
    }
    Object.values(value).forEach(look);
  };
  look(schema);
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer);
    if (!isSchema(value)) return value;
    const fields = eachOf(value.properties, (field) => {
      const name = named.get(textOf(field));
      return name === undefined ? refer(field) : { $ref: REFERENCE + name };
    });
    const others = Object.entries(value).map(([key, member]) => [key, refer(member)]);
    return { ...Object.fromEntries(others), ...('properties' in value && { properties: fields }) };
  };
  const shared = Object.fromEntries([...named].map(([text, name]) => [name, JSON.parse(text)]));
  const short = Object(refer(schema));
  return named.size === 0 ? short : { ...short, $defs: { ...Object(short.$defs), ...shared } };
}
