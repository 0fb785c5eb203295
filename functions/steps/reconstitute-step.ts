// The step kind `reconstitute`: the answer, as a message and artifacts.
import type { OutputSchema } from '#contract/output-schema.ts';
import { promptSize } from '#models/prompt-bytes.ts';
import { fitTexts, sizeOf } from '#models/tasks/fit.ts';
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { withKnownLinks } from '#platform/linked-markdown.ts';
import { answerAsData } from './answer-as-data.ts';
import { cardOf, surroundingsOf } from './card.ts';
import { closingMessage, withNotes } from './closing-message.ts';
import { asMuchAsFits, readable, roomAfter } from './divided.ts';
import { tableOf } from './item-table.ts';
import { linkable } from './link-records.ts';
import type { ArtifactDraft, Item, Step, StepContext } from './step.ts';
import { countsOf, fitForModel, type Gathered, gather, modelItem } from './step-input.ts';
import { isAboutNothing, warnUnverified } from './unverified.ts';

const MAX_TOKENS = 4000;

/** What `expected_artifacts` asks for. */
interface Expected {
  table: boolean;
  card: boolean;
  text_titles: string[];
}

/**
 * Writes the message and the expected artifacts in one model call (rules.md: steps 9). The model writes words; rows and
 * cards come from the records; links point only to the context. Without a record in the context the card is omitted,
 * with the warning `source_not_found`. Over nothing, the service writes the answer itself. Throws ModelError.
 */
export const reconstitute: Step<'reconstitute'> = async (context) => {
  const { context_step_ids, expected_artifacts = ['text'], max_tokens = MAX_TOKENS } = context.params;
  const expected = expectedOf(expected_artifacts, context.run.title);
  const gathered = await gather(context, context_step_ids);
  const schema = context.writes_output ? context.run.output_schema : undefined;
  const words = {
    instructions: context.instructions,
    run_title: context.run.title,
    text_titles: expected.text_titles,
    table_wanted: expected.table,
    max_tokens,
    found: countsOf(gathered.items),
  };
  const asked: InputOf<'reconstitute'> = { ...words, ...(await partOf(context, gathered, words, schema)) };
  const linked = linkable(gathered.items, gathered.texts);
  const clean = (markdown: string) => withKnownLinks(markdown, linked);
  const nothing = isAboutNothing(context, gathered) ? closingMessage(context.run.title, []) : undefined;
  const messageOf = (answer: OutputOf<'reconstitute'>) =>
    withNotes(nothing ?? clean(answer.message), gathered.notes);
  const { answer, output } = schema
    ? await answerAsData({ context, schema, gathered, asked, messageOf })
    : { answer: nothing === undefined ? await context.call('reconstitute', asked) : emptyAnswer(nothing) };
  const texts = textsOf(nothing === undefined ? answer : emptyAnswer(nothing), expected.text_titles);
  if (nothing === undefined)
    warnUnverified(context, [answer.message, ...texts.map(({ content }) => content)], gathered);
  return {
    message: messageOf(answer),
    ...(output && { output }),
    artifacts: [
      ...(expected.table ? [tableOf(context, answer.table_title || context.run.title, gathered.items)] : []),
      ...texts.map((text) => ({ ...text, content: clean(text.content) })),
      ...(expected.card ? await cards(context, gathered.items) : []),
    ],
  };
};

/** What the service writes where there is nothing to write about. */
const emptyAnswer = (message: string) => ({ message, texts: [], table_title: '' });

/** What the call gets of the items: data name items by their index, so that none is read elsewhere. */
async function partOf(
  context: StepContext<'reconstitute'>,
  gathered: Gathered,
  words: Omit<InputOf<'reconstitute'>, 'items' | 'context'>,
  schema: OutputSchema | undefined,
): Promise<Pick<InputOf<'reconstitute'>, 'items' | 'context' | 'findings'>> {
  const taken = promptSize('reconstitute', { ...words, items: [], context: [] });
  const { instructions } = words;
  if (!schema) return readable(context, gathered, { task: 'reconstitute', instructions, focus: '', taken });
  const bytes = await context.bytesFor('reconstitute_data');
  if (bytes === Number.POSITIVE_INFINITY) return fitForModel(context, gathered);
  const room = roomAfter(bytes, taken + DATA_PROMPT_BYTES + sizeOf(schema));
  const { texts } = fitTexts(gathered.texts, room / 3);
  const items = asMuchAsFits(context, gathered.items.map(modelItem), room - sizeOf(texts));
  return { items, context: texts };
}

/** What the task of data has more to say than that of words, and the steps to name. */
const DATA_PROMPT_BYTES = 4000;

/** Kinds match in any case; `NONE` asks for nothing; every other entry is the title of a text, each once. */
function expectedOf(entries: string[], runTitle: string): Expected {
  const spelled = entries.map((entry) => ({ entry, kind: entry.trim().toLowerCase() }));
  const titles = spelled
    .filter(({ kind }) => kind !== 'table' && kind !== 'entity_card' && kind !== 'none')
    .map(({ entry, kind }) => (kind === 'text' ? runTitle : entry.trim()));
  return {
    table: spelled.some(({ kind }) => kind === 'table'),
    card: spelled.some(({ kind }) => kind === 'entity_card'),
    text_titles: [
      ...new Map(titles.toReversed().map((title) => [title.toLowerCase(), title])).values(),
    ].toReversed(),
  };
}

/** One text per title; the message replaces a text that the model did not write. */
function textsOf(
  answer: OutputOf<'reconstitute'>,
  titles: string[],
): Extract<ArtifactDraft, { kind: 'text' }>[] {
  return titles.map((title, i) => {
    const written = answer.texts.find((text) => text.title === title) ?? answer.texts[i];
    return { kind: 'text', title, content: written?.content || answer.message };
  });
}

/** The card of the best record in the context: the highest score, or else the first. */
async function cards(context: StepContext<'reconstitute'>, items: Item[]): Promise<ArtifactDraft[]> {
  const best = items
    .filter(({ kind }) => kind === 'entity')
    .toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0))[0];
  const [entity] = best ? await context.sources.entities([best.id]) : [];
  if (entity) return [cardOf(entity, await surroundingsOf(context, entity), context.run.now)];
  context.warn({
    code: 'source_not_found',
    message: 'No earlier step found a record for the entity card.',
    details: { expected_artifact: 'entity_card' },
  });
  return [];
}
