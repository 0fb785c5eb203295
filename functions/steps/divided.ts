// Items that are too many for one call of a model: it reads them in groups, and what it finds is joined (rules.md:
// models 15).
import { promptSize } from '#models/prompt-bytes.ts';
import { fitItem, fitItems, fitTexts, groupsThatFit, sizeOf } from '#models/tasks/fit.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { InputOf } from '#models/tasks/task-registry.ts';
import { shortenedItems } from './shortened.ts';
import type { StepContext } from './step.ts';
import { countsOf, fitForModel, type Gathered, modelItem } from './step-input.ts';

/** The items of one call. */
const GROUP_ITEMS_MAX = 200;
/** The marks of a list. */
const LIST_BYTES = 10;
/** How long the findings over a group may be. */
const GROUP_TOKENS = 600;
/** Of the room that is left, what the texts of earlier steps take at most, and what joined findings take. */
const TEXTS_PART = 1 / 3;
/** A prompt that is full without any item leaves this much, and is refused. */
const ROOM_BYTES_MIN = 500;

type Calls = Pick<StepContext, 'bytesFor' | 'callEach' | 'warn'>;
/** What a call gets of items and texts. */
type Part = Pick<InputOf<'analyze'>, 'items' | 'context' | 'findings'>;

/** What the items are read for. */
export interface Reading {
  task: 'analyze' | 'reconstitute';
  instructions: string;
  focus: string;
  /** The size of the call's prompt without items and texts. */
  taken: number;
}

/** The room in a prompt, once the rest of it is as large as this. */
export const roomAfter = (bytes: number, taken: number): number => Math.max(bytes - taken, ROOM_BYTES_MIN);

/** The items and texts if they fit in one call, else findings over groups of the items. Throws ModelError. */
export async function readable(context: Calls, gathered: Gathered, reading: Reading): Promise<Part> {
  const bytes = await context.bytesFor(reading.task);
  if (bytes === Number.POSITIVE_INFINITY) return fitForModel(context, gathered);
  const room = roomAfter(bytes, reading.taken);
  const items = gathered.items.map(modelItem);
  if (sizeOf(items) + sizeOf(gathered.texts) <= room) return { items, context: gathered.texts };
  const texts = fitTexts(gathered.texts, room * TEXTS_PART);
  if (texts.left_out > 0) context.warn(shortenedItems(texts.left_out, gathered.texts.length));
  const left = room - sizeOf(texts.texts);
  if (sizeOf(items) <= left) return { items, context: texts.texts };
  return { items: [], context: texts.texts, findings: await findingsOver(context, items, reading, left) };
}

/** Findings over groups of the items, in at most so many bytes. Throws ModelError. */
export async function findingsOver(
  context: Calls,
  whole: ModelItem[],
  { instructions, focus }: Pick<Reading, 'instructions' | 'focus'>,
  most: number,
): Promise<string[]> {
  const inputOf = (items: ModelItem[], findings?: string[]): InputOf<'analyze'> => ({
    ...{ instructions, focus, items, context: [], max_tokens: GROUP_TOKENS },
    found: countsOf(items),
    ...(findings && { findings }),
  });
  const room = roomAfter(
    await context.bytesFor('analyze'),
    promptSize('analyze', { ...inputOf([]), found: countsOf(whole) }),
  );
  const fitted = whole.map((item) => fitItem(item, room - LIST_BYTES));
  const cut = fitted.filter(({ is_cut }) => is_cut).length;
  if (cut > 0) context.warn(shortenedItems(cut, whole.length));
  const items = fitted.map(({ item }) => item);
  const groups = groupsThatFit(items.map(sizeOf), room, GROUP_ITEMS_MAX).map((group) =>
    items.slice(group[0], (group.at(-1) ?? 0) + 1),
  );
  const ask = async (inputs: InputOf<'analyze'>[], progress?: Parameters<Calls['callEach']>[2]) => {
    const replies = await context.callEach('analyze', inputs, progress);
    // A few long findings must not leave others out.
    const longest = Math.min(room, most) * TEXTS_PART;
    return replies.map((reply) => {
      if (!reply.ok) throw reply.error;
      return fitTexts([reply.output.findings], longest).texts[0] ?? '';
    });
  };
  let findings = await ask(
    groups.map((group) => inputOf(group)),
    {
      sizes: groups.map(({ length }) => length),
      message: `Reading ${whole.length} items in ${groups.length} groups`,
    },
  );
  while (findings.length > 1 && sizeOf(findings) > most) {
    const sizes = findings.map(sizeOf);
    const joined = groupsThatFit(sizes, room).map((group) =>
      findings.slice(group[0], (group.at(-1) ?? 0) + 1),
    );
    findings = await ask(joined.map((group) => inputOf([], group)));
  }
  return findings;
}

/** The items of one call that has no groups, cut to what fits, with a warning of those that have lost something. */
export function asMuchAsFits(
  context: Pick<StepContext, 'warn'>,
  items: ModelItem[],
  bytes: number,
): ModelItem[] {
  const fitted = fitItems(items, bytes);
  if (fitted.left_out > 0) context.warn(shortenedItems(fitted.left_out, items.length));
  return fitted.items;
}
