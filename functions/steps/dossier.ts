// The dossier: sections about one record, its entity card and a note (rules.md: dossier).
import type { Entity } from '#contract/entities.ts';
import { ModelError, unusable } from '#models/model.ts';
import type { InputOf } from '#models/tasks/index.ts';
import { asMarkdown, recordLink, withKnownLinks } from '#platform/markdown.ts';
import { plainText } from '#platform/words.ts';
import { entityItem } from '#sources/items.ts';
import { cardOf, surroundingsOf } from './card.ts';
import { modelItem } from './context.ts';
import type { StepContext, StepOutput } from './step.ts';
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
  context: Pick<StepContext, 'sources' | 'callEach' | 'warn' | 'run'>,
  { entity, sections = [...defaultSections], max_tokens = defaultDossierTokens }: Dossier,
): Promise<StepOutput> {
  const surroundings = await surroundingsOf(context, entity);
  const inputs = sections.map(
    (heading): InputOf<'dossier_section'> => ({
      heading,
      entity: modelItem(entityItem(entity)),
      relationships: surroundings.relationships,
      recent_activity: surroundings.recent_activity,
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
  await warnUnverified(
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
