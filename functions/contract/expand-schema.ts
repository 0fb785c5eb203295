// A sent schema in the keywords that the service works with, and what makes that impossible.
import { limits } from './limits.ts';
import { type OutputSchema, outputLimits, outputTypes, typeOf } from './output-schema.ts';
import { contradictionsIn } from './schema-contradictions.ts';

type Type = NonNullable<OutputSchema['type']>;

/** A schema with the keywords that expanding it replaces. */
export interface SentSchema extends Omit<OutputSchema, 'type' | 'properties' | 'items'> {
  /** `null` alone is a type only in `anyOf`. */
  type?: Type | 'null' | undefined;
  properties?: { [name: string]: SentSchema } | undefined;
  items?: SentSchema | undefined;
  $schema?: string | undefined;
  $defs?: { [name: string]: SentSchema } | undefined;
  $ref?: string | undefined;
  anyOf?: SentSchema[] | undefined;
  const?: string | number | boolean | null | undefined;
  default?: unknown;
}

/** What is wrong with a schema, at its place as sent. */
export interface SchemaFault {
  path: (string | number)[];
  message: string;
}
type Path = SchemaFault['path'];

/** The schema in plain keywords; it is of use only without faults. */
export function expandSchema(root: SentSchema): { schema: OutputSchema; faults: SchemaFault[] } {
  const expansion = new Expansion(root.$defs ?? {});
  const schema = expansion.schemaAt(root, [], 1, []);
  if (schema.type !== 'object') expansion.fault(['type'], 'The root is an object');
  if (expansion.faults.length === 0 && bytesOf(schema) > outputLimits.schema_max_bytes)
    expansion.fault(
      [],
      `At most ${outputLimits.schema_max_bytes} bytes as compact JSON, with what $ref names`,
    );
  return { schema, faults: expansion.faults };
}

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** What may stand next to `$ref` and `anyOf`: it says nothing of values. */
const ANNOTATIONS = ['title', 'description', 'default', '$schema', '$defs'];
const REFERENCE = /^#\/\$defs\/([^/]+)$/;
/** Stands for a schema that has a fault. */
const ANY: OutputSchema = { type: 'object' };

class Expansion {
  readonly faults: SchemaFault[] = [];
  readonly #reported = new Set<string>();
  readonly #defs: Readonly<Record<string, SentSchema>>;
  #properties = 0;

  constructor(defs: Readonly<Record<string, SentSchema>>) {
    this.#defs = defs;
  }

  /** A shared schema is looked at wherever it is named, and its fault is reported once. */
  fault(path: Path, message: string): OutputSchema {
    const reported = JSON.stringify([path, message]);
    if (!this.#reported.has(reported) && this.faults.length < limits.issues_max)
      this.faults.push({ path, message });
    this.#reported.add(reported);
    return ANY;
  }

  /** `within` are the names in `$defs` that lead here. */
  schemaAt(sent: SentSchema, path: Path, depth: number, within: readonly string[]): OutputSchema {
    if (depth > outputLimits.schema_depth_max)
      return this.fault(path, `Schemas nest at most ${outputLimits.schema_depth_max} deep`);
    // What lies below is not looked at any more.
    const isFull = this.faults.length === limits.issues_max;
    if (isFull || this.#properties > outputLimits.schema_properties_max) return ANY;
    if (path.length > 0)
      for (const name of ['$schema', '$defs'] as const)
        if (sent[name] !== undefined) this.fault([...path, name], 'Only the root has it');
    if (sent.$ref !== undefined) return this.#named(sent, sent.$ref, path, depth, within);
    if (sent.anyOf) return this.#orNull(sent, sent.anyOf, path, depth, within);
    return this.#plain(sent, path, depth, within);
  }

  #named(sent: SentSchema, ref: string, path: Path, depth: number, within: readonly string[]): OutputSchema {
    const at = [...path, '$ref'];
    if (hasMore(sent, '$ref'))
      return this.fault(at, `Beside $ref stand only ${ANNOTATIONS.slice(0, 3).join(', ')}`);
    const name = unescaped(REFERENCE.exec(ref)?.[1] ?? '');
    const target = Object.hasOwn(this.#defs, name) ? this.#defs[name] : undefined;
    if (!target) return this.fault(at, 'Names no schema in $defs of the root');
    if (within.includes(name)) return this.fault(at, 'A schema cannot contain itself');
    return annotated(this.schemaAt(target, ['$defs', name], depth, [...within, name]), sent);
  }

  #orNull(
    sent: SentSchema,
    members: SentSchema[],
    path: Path,
    depth: number,
    within: readonly string[],
  ): OutputSchema {
    const at = [...path, 'anyOf'];
    const other = members.findIndex(({ type }) => type !== 'null');
    const chosen = members[other];
    const nulls = members.filter((one) => one.type === 'null' && !hasMore(one, 'type'));
    if (!chosen || nulls.length !== 1) return this.fault(at, 'One type and null');
    if (hasMore(sent, 'anyOf'))
      return this.fault(at, `Beside anyOf stand only ${ANNOTATIONS.slice(0, 3).join(', ')}`);
    return annotated(withNull(this.schemaAt(chosen, [...at, other], depth, within)), sent);
  }

  #plain(sent: SentSchema, path: Path, depth: number, within: readonly string[]): OutputSchema {
    const { $schema: _, $defs: __, $ref: ___, anyOf: ____, default: _____, const: constant, ...rest } = sent;
    const { type, properties, items, ...plain } = rest;
    if (type === 'null') return this.fault([...path, 'type'], `One of ${outputTypes.join(', ')}`);
    if (constant !== undefined && plain.enum) return this.fault([...path, 'const'], 'Either const or enum');
    const below = (inner: SentSchema, ...keys: string[]) =>
      this.schemaAt(inner, [...path, ...keys], depth + 1, within);
    const names = Object.keys(properties ?? {});
    this.#properties += names.length;
    if (this.#properties > outputLimits.schema_properties_max)
      this.fault(['properties'], `At most ${outputLimits.schema_properties_max} in all`);
    const members = Object.entries(properties ?? {}).map(([name, inner]) => [
      name,
      below(inner, 'properties', name),
    ]);
    const schema: OutputSchema = {
      ...(type !== undefined && { type }),
      ...plain,
      ...(constant !== undefined && { enum: [constant] }),
      ...(properties && { properties: Object.fromEntries(members) }),
      ...(items && { items: below(items, 'items') }),
    };
    for (const { path: inner, message } of [...lacksOf(schema), ...contradictionsIn(schema)])
      this.fault([...path, ...inner], message);
    return schema;
  }
}

/** What one place of a schema lacks, apart from the places below it. */
function lacksOf(schema: OutputSchema): SchemaFault[] {
  const { properties = {}, required = [], items } = schema;
  const untyped = schema.type === undefined && schema.enum === undefined;
  return [
    ...(untyped ? [{ path: [], message: 'A schema has a type or an enum' }] : []),
    ...(typeOf(schema) === 'array' && !items ? [{ path: ['items'], message: 'An array has items' }] : []),
    ...required.flatMap((name, i) =>
      Object.hasOwn(properties, name)
        ? []
        : [{ path: ['required', i], message: 'A required name stands in properties' }],
    ),
  ];
}

const hasMore = (sent: SentSchema, own: string) =>
  Object.entries(sent).some(
    ([name, value]) => value !== undefined && name !== own && !ANNOTATIONS.includes(name),
  );

/** With the title and description of the place that refers to it. */
function annotated(schema: OutputSchema, { title, description }: SentSchema): OutputSchema {
  return {
    ...schema,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  };
}

function withNull(schema: OutputSchema): OutputSchema {
  const { enum: values } = schema;
  const type = typeOf(schema);
  return {
    ...schema,
    ...(type !== undefined && { type: [type, 'null' as const] }),
    ...(values && !values.includes(null) && { enum: [...values, null] }),
  };
}

/** A name as JSON Pointers in a URI spell it. */
function unescaped(name: string): string {
  try {
    return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return name;
  }
}
