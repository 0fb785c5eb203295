// A record being edited: its fields as texts, and the changes that they mean.
import type { Entity, UpdateEntity } from '../../sdk/index.ts';
import { isObject } from './draft.ts';
import { scalarText } from './typed-text.ts';

type FieldKind = 'text' | 'number' | 'boolean' | 'json';

export interface FieldDraft {
  key: number;
  name: string;
  kind: FieldKind;
  text: string;
  /** Its name can be typed. */
  isNew: boolean;
}

export interface RecordDraft {
  name: string;
  uri: string;
  fields: readonly FieldDraft[];
}

export const draftOfRecord = ({ name, fields, external_uri = '' }: Entity): RecordDraft => ({
  name,
  uri: external_uri,
  fields: Object.entries(fields).map(([field, value], key) => ({
    key,
    name: field,
    kind: kindOf(value),
    text: written(value),
    isNew: false,
  })),
});

/** With one more field, whose value is read as a condition's would be. */
export const withNewField = (draft: RecordDraft): RecordDraft => {
  const key = Math.max(-1, ...draft.fields.map((one) => one.key)) + 1;
  return { ...draft, fields: [...draft.fields, { key, name: '', kind: 'text', text: '', isNew: true }] };
};

function kindOf(value: unknown): FieldKind {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'text' : 'json';
}

const written = (value: unknown) =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

type Value = NonNullable<UpdateEntity['fields']>[string];

/** What the draft changes of the record; nothing where nothing differs. Throws for a text that is no such value. */
export function changesOf(record: Entity, { name, uri, fields }: RecordDraft): UpdateEntity {
  const before = record.external_uri ?? '';
  const changed = Object.fromEntries(
    fields.flatMap((field) => {
      const known = Object.hasOwn(record.fields, field.name) ? record.fields[field.name] : undefined;
      const isSame = !field.isNew && field.text === written(known);
      return isSame || field.name.trim() === '' ? [] : [[field.name.trim(), typedValue(field)] as const];
    }),
  );
  return {
    ...(name.trim() !== record.name && { name: name.trim() }),
    ...(uri.trim() !== before && { external_uri: uri.trim() || null }),
    ...(Object.keys(changed).length > 0 && { fields: changed }),
  };
}

/** An empty text takes the field away. */
function typedValue({ name, kind, text, isNew }: FieldDraft): Value {
  if (text.trim() === '') return null;
  if (isNew) return scalarOf(text);
  switch (kind) {
    case 'text':
      return text;
    case 'boolean':
      return text === 'true';
    case 'number': {
      const value = Number(text);
      if (!Number.isFinite(value)) throw new Error(`${name}: “${text}” is no number.`);
      return value;
    }
    case 'json':
      return jsonOf(name, text);
  }
}

function scalarOf(text: string): Value {
  const read = scalarText.read(text);
  return typeof read === 'number' || typeof read === 'boolean' ? read : String(read);
}

function jsonOf(name: string, text: string): Value {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) || Array.isArray(value)) return value as Value;
  } catch {
    // Said below.
  }
  throw new Error(`${name}: what is written there is no list or object in JSON.`);
}
