// The dossier: sections about one record, its entity card and a note (rules.md: dossier).
import type { Entity } from '#contract/entities.ts';
import { ModelError, unusable } from '#models/model.ts';
import { promptSize } from '#models/prompt-bytes.ts';
import { fitItem, groupsThatFit, sizeOf } from '#models/tasks/fit.ts';
import type { InputOf } from '#models/tasks/task-registry.ts';
import { asMarkdown, recordLink, withKnownLinks } from '#platform/linked-markdown.ts';
import { plainText } from '#platform/words.ts';
import { entityItem } from '#sources/to-items.ts';
import { cardOf, type Surroundings, surroundingsOf } from './card.ts';
import { findingsOver, roomAfter } from './divided.ts';
import { shortenedItems } from './shortened.ts';
import type { StepContext, StepOutput } from './step.ts';
import { modelItem } from './step-input.ts';
import { warnUnverified } from './unverified.ts';

/** The default headings of a dossier, in order (rules.md: dossier 1). */
export const defaultSections: readonly string[] = [
  'Overview',
  'Key attributes',
  'Relationships',
  'Recent activity',
  'Strategic insights',
];
/** The default output length of a dossier. */
const defaultDossierTokens = 4000;

const SUMMARY_MAX_CHARACTERS = 600;
/** The minimum length of a section, whatever its share. */
const SECTION_MIN_TOKENS = 64;

export interface Dossier {
  entity: Entity;
  sections?: string[];
  max_tokens?: number;
}

/**
 * Writes a dossier: a text with one `## heading` per section in the given order, then the entity card, and a note with
 * the same text; one model call per section. Throws ModelError naming the section that failed for good.
 */
export async function runDossier(
  context: Pick<StepContext, 'sources' | 'callEach' | 'bytesFor' | 'warn' | 'run'>,
  { entity, sections = [...defaultSections], max_tokens = defaultDossierTokens }: Dossier,
): Promise<StepOutput> {
  const surroundings = await surroundingsOf(context, entity);
  const shown = await shownOf(context, entity, surroundings);
  const inputs = sections.map(
    (heading): InputOf<'dossier_section'> => ({
      ...{ heading, ...shown },
      max_tokens: Math.max(SECTION_MIN_TOKENS, Math.floor(max_tokens / sections.length)),
    }),
  );
  const replies = await context.callEach('dossier_section', inputs, {
    sizes: sections.map(() => 1),
    message: `Writing ${sections.length} sections on ${entity.name}`,
  });
  const known = new Set([
    `entity=${entity.id}`,
    `entity_type=${entity.type}`,
    ...surroundings.relationships.map(({ entity_id }) => `entity=${entity_id}`),
  ]);
  const written = sections.map((heading, i) => {
    const reply = replies[i];
    if (!reply?.ok) {
      const error = reply?.error ?? unusable('not written');
      throw new ModelError(`Section "${heading}": ${error.message}`, error.fault);
    }
    return { heading, content: withKnownLinks(reply.output.content, known).trim() };
  });
  const about = { name: entity.name, type: entity.type, fields: entity.fields };
  const around = [...surroundings.relationships, ...surroundings.recent_activity];
  warnUnverified(
    { ...context, instructions: sections.join('\n'), title: '' },
    written.map(({ content }) => content),
    { items: [about], texts: [plainText(around), plainText(surroundings.recent_activity.map(dayOf))] },
  );
  // A cut text may end within a link.
  const summary = withKnownLinks(summaryOf(written[0]?.content ?? ''), known);
  const card = cardOf(entity, surroundings, context.run.now, summary);
  const message = `Dossier on ${recordLink('entity', entity.id, entity.name)}. ${card.content.summary}`;
  return { ...assembled(entity, written, card), message: withKnownLinks(message, known) };
}

/** The day of an activity, as a text names it. */
const dayOf = ({ at }: { at: number }) => new Date(at).toISOString().slice(0, 10);

type Shown = Omit<InputOf<'dossier_section'>, 'heading' | 'max_tokens'>;

/** Longer headings only make the prompt a little longer. */
const HEADING_BYTES = 500;

/**
 * What each section is written from: all that is known, if that fits in one call. Else a record that is too long is
 * cut, and of relationships and activity that are too many the rest is read in groups.
 */
async function shownOf(
  context: Pick<StepContext, 'callEach' | 'bytesFor' | 'warn'>,
  entity: Entity,
  { relationships, recent_activity }: Surroundings,
): Promise<Shown> {
  const whole: Shown = { entity: modelItem(entityItem(entity)), relationships, recent_activity };
  const bytes = await context.bytesFor('dossier_section');
  const empty = { heading: '', max_tokens: 0, entity: whole.entity, relationships: [], recent_activity: [] };
  const room = roomAfter(bytes, promptSize('dossier_section', { ...empty, entity: NO_ITEM }) + HEADING_BYTES);
  if (sizeOf(whole) <= room) return whole;
  const { item, is_cut } = fitItem(whole.entity, room / 2);
  if (is_cut) context.warn(shortenedItems(1, 1));
  const left = room - sizeOf(item);
  const kept = fittingPart(relationships, left / 3);
  const activity = fittingPart(recent_activity, left / 3);
  const rest = [
    ...relationships.slice(kept.length).map(({ entity_id, name, type, ...fields }) => ({
      ...{ id: entity_id, type, name, fields },
    })),
    ...recent_activity.slice(activity.length).map(({ at, text }) => ({
      ...{ id: '', type: 'activity', name: new Date(at).toISOString(), fields: { text } },
    })),
  ];
  const reading = { instructions: `What these say of ${entity.name}`, focus: '' };
  const findings = rest.length > 0 ? await findingsOver(context, rest, reading, left / 3) : undefined;
  return { entity: item, relationships: kept, recent_activity: activity, ...(findings && { findings }) };
}

const NO_ITEM = { id: '', type: '', name: '', fields: {} };

/** The first ones that fit together. */
function fittingPart<T>(all: T[], bytes: number): T[] {
  const [first = []] = groupsThatFit(all.map(sizeOf), bytes);
  return first.length === 1 && sizeOf(all[0]) > bytes ? [] : all.slice(0, first.length);
}

function assembled(
  entity: Entity,
  sections: { heading: string; content: string }[],
  card: ReturnType<typeof cardOf>,
): StepOutput {
  const title = `Dossier: ${entity.name}`;
  const content = sections
    .map(
      (section) =>
        `## ${asMarkdown(section.heading.replace(/\s+/g, ' ').trim())}\n\n${withoutTopHeadings(section.content)}`,
    )
    .join('\n\n');
  return {
    artifacts: [{ kind: 'text', title, content, subject_id: entity.id }, card],
    notes: [{ title, content, entity_id: entity.id }],
  };
}

/** Demotes the headings inside a section, so that only sections begin with `##`. */
function withoutTopHeadings(content: string): string {
  return content.replace(/^#{1,2}(?=\s)/gm, '###');
}

/** The first paragraph without list marks, cut to the length of a card's summary. */
function summaryOf(section: string): string {
  const paragraph = section.split(/\n\s*\n/).find((part) => !part.startsWith('#')) ?? '';
  const line = paragraph
    .replace(/^[ \t]*[-*][ \t]+/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= SUMMARY_MAX_CHARACTERS
    ? line
    : `${line.slice(0, SUMMARY_MAX_CHARACTERS - 1).trimEnd()}…`;
}
