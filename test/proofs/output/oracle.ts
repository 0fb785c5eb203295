// Judges an answer as data by plain code over the items: what it says of a value must be so.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '#contract/json.ts';
import type { BasisEntry, RunOutput } from '#contract/output.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import { keysOf, pointerTo } from '#platform/json-pointer.ts';
import { walkJson } from '#platform/walk-json.ts';
import type { Item } from '#steps/step.ts';

const ajv = new Ajv2020({ strict: false });
ajv.addFormat('date', (text) => {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
});

/** The schema as its contract means it: no other members. */
function closed(schema: OutputSchema): OutputSchema {
  const { properties, items } = schema;
  const inner = Object.entries(properties ?? {}).map(([name, place]) => [name, closed(place)] as const);
  const isObject = [schema.type].flat().includes('object');
  return {
    ...schema,
    ...(isObject && { properties: Object.fromEntries(inner), additionalProperties: false }),
    ...(items && { items: closed(items) }),
  };
}

/** The values that a name of a field stands for. */
function valuesOf(item: Item, field: string): Json[] {
  const attributes: Record<string, Json | undefined> = {
    ...{ id: item.id, name: item.name, type: item.type, external_uri: item.external_uri },
    ...{ created_at: item.created_at, updated_at: item.updated_at },
  };
  const path = field.startsWith('fields.') ? field.slice('fields.'.length) : field;
  let here: Json | undefined = path === field && item.kind !== 'group' ? attributes[field] : undefined;
  if (here === undefined) {
    here = item.fields;
    for (const key of item.kind === 'group' ? [field] : path.split('.'))
      here = typeof here === 'object' && here !== null && !Array.isArray(here) ? here[key] : undefined;
  }
  return Array.isArray(here) ? here : here === undefined ? [] : [here];
}

interface Known {
  /** Every version of every item, by step. */
  steps: ReadonlyMap<number, Item[]>;
  message: string;
}

/** What is false in an output. */
export function falseIn(schema: OutputSchema, { data, basis }: RunOutput, known: Known): string[] {
  const leaves = new Map<string, Json>();
  walkJson(data, (value, path) => {
    const isLeaf = value !== null && typeof value !== 'object';
    if (isLeaf) leaves.set(path.reduce<string>(pointerTo, ''), value as Json);
  });
  const places = basis.map(({ path }) => path);
  return [
    ...(ajv.validate(closed(schema), data) ? [] : [`does not conform: ${ajv.errorsText()}`]),
    ...(JSON.stringify(places) === JSON.stringify([...leaves.keys()])
      ? []
      : ['basis is not that of the leaves']),
    ...basis.flatMap((entry) =>
      isTrue(entry, leaves.get(entry.path), known) ? [] : [JSON.stringify(entry)],
    ),
  ];
}

function isTrue(entry: BasisEntry, value: Json | undefined, { steps, message }: Known): boolean {
  const { kind, entity_id, field, step_index } = entry;
  const items = [...steps.values()].flat();
  const has = (item: Item) => field !== undefined && valuesOf(item, field).some((one) => one === value);
  const key = field?.replace(/^fields\./, '');
  const isWritten = ({ written = [] }: Item) =>
    written.some((one) => one.field === key && one.step_index === step_index);
  switch (kind) {
    case 'record':
      return items.some(
        (item) => item.kind === 'entity' && item.id === entity_id && has(item) && !isOfModel(item, key),
      );
    case 'group':
      return (steps.get(step_index ?? -1) ?? []).some((item) => item.kind === 'group' && has(item));
    case 'count':
      return value === (step_index === undefined ? 0 : steps.get(step_index)?.length);
    case 'model':
      if (entity_id === undefined)
        return typeof value === 'string' && (value === message || keysOf(entry.path) !== undefined);
      return items.some((item) => item.id === entity_id && has(item) && isWritten(item));
  }
}

const isOfModel = (item: Item, key: string | undefined) =>
  item.written?.some(({ field }) => field === key) === true;
