// The step kind `inject_context`: passes text, records, notes and artifacts to later steps.
import { isDeepStrictEqual } from 'node:util';
import type { Artifact } from '#contract/artifacts.ts';
import type { Entity, EntityRef } from '#contract/entities.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { cut } from '#platform/cut.ts';
import { asMarkdown, onlyLink, recordLink } from '#platform/linked-markdown.ts';
import { namedItem } from '#sources/to-items.ts';
import { savedItem } from './saved-item.ts';
import type { Item, Step, StepContext } from './step.ts';
import { firstOfEach } from './step-input.ts';
import { plainValue } from './table-cells.ts';
import { writtenBy } from './written-by.ts';

type Injecting = Pick<StepContext, 'sources' | 'run' | 'index'>;
type TableArtifact = Extract<Artifact, { kind: 'table' }>;

/**
 * Passes context to later steps (rules.md: steps 10): text, notes and artifacts as texts; records and table rows as
 * items. Whatever does not exist is omitted; one `source_not_found` warning counts it all and names the first.
 */
export const injectContext: Step<'inject_context'> = async (context) => {
  const { text, entities: refs = [] } = context.params;
  const note_ids = lowerCase(context.params.note_ids);
  const artifact_ids = lowerCase(context.params.artifact_ids);
  const { sources } = context;
  const resolved = await Promise.all(refs.map((ref) => sources.resolve(ref)));
  const [notes, artifacts] = await Promise.all([sources.notes(note_ids), sources.artifacts(artifact_ids)]);
  const missing = {
    entities: refs.filter((_, i) => !resolved[i]),
    note_ids: absent(note_ids, notes),
    artifact_ids: absent(artifact_ids, artifacts),
  };
  warnMissing(context.warn, missing);
  const tables = artifacts.filter((artifact) => artifact.kind === 'table');
  const items = firstOfEach([
    ...resolved.flatMap((entity) => (entity ? [savedItem(namedItem(entity), context.run)] : [])),
    ...(await Promise.all(tables.map((table) => rowsOf(context, table)))).flat(),
  ]);
  const texts = [
    ...(text === undefined ? [] : [text]),
    ...notes.map((note) => `${recordLink('note', note.id, note.title)}\n\n${note.content}`),
    ...artifacts.flatMap(textOf),
  ];
  return {
    ...(refs.length > 0 || tables.length > 0 ? { items } : {}),
    ...(texts.length > 0 ? { text: texts.join('\n\n') } : {}),
  };
};

/** Ids in lower case, as issued. */
function lowerCase(ids: string[] = []): string[] {
  return ids.map((id) => id.toLowerCase());
}

function absent(ids: string[], found: { id: string }[]): string[] {
  const present = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !present.has(id));
}

function warnMissing(
  warn: StepContext['warn'],
  missing: Record<'entities' | 'note_ids' | 'artifact_ids', (EntityRef | string)[]>,
): void {
  const named = Object.entries(missing).filter(([, refs]) => refs.length > 0);
  if (named.length === 0) return;
  warn({
    code: 'source_not_found',
    message: `Not found in the workspace: ${named.map(([what, refs]) => `${refs.length} of ${what}`).join(', ')}.`,
    details: Object.fromEntries(
      named.map(([what, refs]) => [what, refs.slice(0, limits.warning_refs_max).map(shortRef)]),
    ),
  });
}

/** A reference as repeated in a warning: a run may have fifty times fifty of them. */
function shortRef(ref: EntityRef | string): Json {
  const short = (text: string) => cut(text, limits.warning_ref_max_characters);
  if (typeof ref === 'string') return short(ref);
  return Object.fromEntries(Object.entries(ref).map(([name, text]) => [name, short(text)]));
}

/** The text of an artifact; table rows become items instead. */
function textOf(artifact: Artifact): string[] {
  const link = recordLink('artifact', artifact.id, artifact.title);
  switch (artifact.kind) {
    case 'table':
      return [];
    case 'text':
      return [`${link}\n\n${artifact.content}`];
    case 'entity_card': {
      const { entity, summary, attributes } = artifact.content;
      const facts = attributes.map(
        ({ label, value }) => `- ${label}: ${asMarkdown(JSON.stringify(plainValue(value)))}`,
      );
      return [[link, `${recordLink('entity', entity.id, entity.name)}: ${summary}`, ...facts].join('\n')];
    }
  }
}

/** Rows as items: the record that the cell `name` links to, with the row's other cells as fields, else a passage. */
async function rowsOf(context: Injecting, table: TableArtifact): Promise<Item[]> {
  const rows = table.rows.map((row, position) => {
    const link = typeof row.name === 'string' ? onlyLink(row.name) : undefined;
    return { row, position, entityId: link?.kind === 'entity' ? link.id : undefined };
  });
  const entities = await context.sources.entities(rows.flatMap(({ entityId }) => entityId ?? []));
  const known = new Map(entities.map((entity) => [entity.id, entity]));
  return rows.map(({ row, position, entityId }): Item => {
    const values = Object.entries(row).map(([column, cell]) => [column, plainValue(cell)] as const);
    const { name, ...fields }: JsonObject = Object.fromEntries(values);
    const entity = entityId === undefined ? undefined : known.get(entityId);
    if (entity) return rowOf(context, entity, fields);
    const label = typeof name === 'string' ? name : `${table.title}, row ${position + 1}`;
    return { id: `${table.id}:${position}`, kind: 'text', type: 'text', name: label, fields };
  });
}

/** The row of a record. A cell that differs from the record is what an earlier run wrote. */
function rowOf(context: Injecting, entity: Entity, fields: JsonObject): Item {
  const other = Object.keys(fields).filter((key) => !isDeepStrictEqual(fields[key], entity.fields[key]));
  return writtenBy({ ...savedItem(namedItem(entity), context.run), fields }, other, context);
}
