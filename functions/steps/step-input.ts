// A step's input: items and texts of earlier steps, and the part of them that one model call gets.
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { OutdatedVectors } from '#sources/source-port.ts';
import { partNotes } from './closing-message.ts';
import type { Item, StepContext, StepOutput } from './step.ts';

/** The most items that one model call gets. */
const SHOWN_ITEMS_MAX = 200;
const SHOWN_CHARACTERS_MAX = 200_000;

/** Items and texts of several steps. */
export interface Gathered {
  items: Item[];
  texts: string[];
  /** What the message must say about omitted records. */
  notes: string[];
  /** The step that each item comes from, by id. */
  steps: ReadonlyMap<string, number>;
}

type Earlier = Pick<StepContext, 'earlier' | 'outputOf'>;

/** The default source of a filter or transform: the last earlier step that yields items (rules.md: steps 3). */
export async function previousStep({ earlier, outputOf }: Earlier): Promise<number[]> {
  for (const index of earlier.toReversed()) if ((await outputOf(index)).items) return [index];
  return [];
}

/**
 * The items of these steps in order, without repeated ids; the first version of an item wins. `part`: the first of
 * their parts. Reads one output after the other: together they may be too large for the memory.
 */
export async function itemsOf(
  { outputOf }: Earlier,
  indexes: number[],
): Promise<{ items: Item[]; part: StepOutput['part'] }> {
  const first = new Map<string, Item>();
  let part: StepOutput['part'];
  for (const index of indexes) {
    const output = await outputOf(index);
    part ??= output.part;
    for (const item of output.items ?? []) if (!first.has(item.id)) first.set(item.id, item);
  }
  return { items: [...first.values()], part };
}

/** The items without repeated ids; the first version of an item wins. */
export function firstOfEach<T extends { id: string }>(items: T[]): T[] {
  const seen = new Set<string>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/**
 * The context that `context_step_ids` selects (rules.md: steps 11). Named steps count in full. The default, all earlier
 * steps, omits items that a later filter or transform replaced, so that filtered items do not come back. A repeated
 * record keeps its first position and its latest version. Reads one output after the other, as `itemsOf`.
 */
export async function gather(context: Earlier, stepIds: number[] | undefined): Promise<Gathered> {
  const replaced = new Set<number>();
  const latest = new Map<string, Item>();
  const steps = new Map<string, number>();
  const found: { ids: string[]; texts: string[]; notes: string[] }[] = [];
  // Only a later step says what it has replaced.
  for (const index of [...new Set(stepIds ?? context.earlier)].toSorted((left, right) => right - left)) {
    const output = await context.outputOf(index);
    const { items = [], replaces = [] } = replaced.has(index) ? { replaces: output.replaces } : output;
    if (!stepIds) for (const other of replaces) replaced.add(other);
    for (const item of items)
      if (!latest.has(item.id)) {
        latest.set(item.id, item);
        steps.set(item.id, index);
      }
    const notes = replaced.has(index) ? [] : partNotes(output);
    found.unshift({ ids: items.map(({ id }) => id), texts: textOf(output), notes });
  }
  const ids = new Set(found.flatMap((one) => one.ids));
  return {
    items: [...ids].flatMap((id) => latest.get(id) ?? []),
    texts: found.flatMap(({ texts }) => texts),
    notes: found.flatMap(({ notes }) => notes),
    steps,
  };
}

function textOf({ text }: StepOutput): string[] {
  return text ? [text] : [];
}

/** The number of items of each type, including those beyond one model call. */
export function countsOf(items: Pick<Item, 'type'>[]): { type: string; count: number }[] {
  return [...Map.groupBy(items, ({ type }) => type)].map(([type, same]) => ({ type, count: same.length }));
}

/** An item as a model sees it. */
export function modelItem({ id, type, name, fields }: Item): ModelItem {
  return { id, type, name, fields };
}

/**
 * The part of the context that fits one model call, texts before items; warns `results_truncated` with the item counts
 * when something does not fit.
 */
export function fitForModel(
  context: Pick<StepContext, 'warn'>,
  { items, texts }: Pick<Gathered, 'items' | 'texts'>,
): { items: ModelItem[]; context: string[] } {
  const fittingTexts = firstCharacters(texts, SHOWN_CHARACTERS_MAX / 2);
  let room = SHOWN_CHARACTERS_MAX - lengthOf(fittingTexts);
  const fitting: ModelItem[] = [];
  for (const item of items.slice(0, SHOWN_ITEMS_MAX).map(modelItem)) {
    room -= JSON.stringify(item).length;
    if (room < 0 && fitting.length > 0) break;
    fitting.push(item);
  }
  const [received, kept] = [items.length, fitting.length];
  const isTextCut = lengthOf(fittingTexts) < lengthOf(texts);
  if (kept < received || isTextCut)
    context.warn({
      code: 'results_truncated',
      message: [
        ...(kept < received
          ? [`What the model writes rests on the first ${kept} of ${received} items.`]
          : []),
        ...(isTextCut ? ['The model read as much of the texts as it can take at once.'] : []),
      ].join(' '),
      details: { received, kept },
    });
  return { items: fitting, context: fittingTexts };
}

/** The texts up to a total number of characters; the last one may be cut. */
function firstCharacters(texts: string[], maximum: number): string[] {
  let room = maximum;
  return texts.flatMap((text) => {
    const part = text.slice(0, room);
    room -= part.length;
    return part === '' ? [] : [part];
  });
}

function lengthOf(texts: string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** Warns that a source does not exist; the step continues without items (rules.md: plan 5). */
export function warnUnknownSource({ warn }: Pick<StepContext, 'warn'>, source: string): void {
  warn({
    code: 'source_not_found',
    message: `There is no source named ${source}, nor records of such a type.`,
    details: { source },
  });
}

/** Warns that a search has not compared all records; their vectors are being made (rules.md: vectors 1). */
export function warnOutdatedVectors(
  { warn }: Pick<StepContext, 'warn'>,
  { outdated, model }: OutdatedVectors,
): void {
  warn({
    code: 'vectors_outdated',
    message: `${outdated === 1 ? 'One record has' : `${outdated} records have`} no vector of ${model} yet: a search by meaning does not find ${outdated === 1 ? 'it' : 'them'} until it is made.`,
    details: { outdated, model },
  });
}

/** Warns of fields that no record of the types read has; the step continues (rules.md: records 14). */
export async function warnMissingFields(
  { params, sources, warn }: Pick<StepContext<'fetch' | 'vector_search'>, 'params' | 'sources' | 'warn'>,
  fields: string[],
): Promise<void> {
  const { source = 'entities', entity_types } = params;
  const missing = await sources.missingFields({ source, entity_types }, [...new Set(fields)]);
  if (missing.length === 0) return;
  const names = missing.map(({ field, nearest }) =>
    nearest === undefined ? `"${field}"` : `"${field}" (the nearest is "${nearest}")`,
  );
  warn({
    code: 'field_not_found',
    message: `No record has ${missing.length === 1 ? 'a field' : 'fields'} ${names.join(', ')}.`,
    details: {
      fields: missing.map(({ field, nearest }) => ({ field, ...(nearest !== undefined && { nearest }) })),
    },
  });
}
