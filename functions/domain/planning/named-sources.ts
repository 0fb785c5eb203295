// Which live sources a query names. The planner sees no others: it also reads texts of records, and what their authors
// write there must not choose where a question is sent (rules.md: sources 11).
import type { DescribedSource } from '#contract/live-sources.ts';
import type { OutputOf } from '#models/tasks/task-registry.ts';
import { isStopWord, wordsOf } from '#platform/words.ts';

/**
 * Words of descriptions and questions that say nothing of what a source has: verbs, adjectives, and nouns that fit
 * every source. Folded and in the singular.
 */
const UNTELLING = new Set(
  (
    'access accessible active add allow ask available based belong best big bring broken check closed come compare ' +
    'complete contain contained count create created current daily data database describe detail different display ' +
    'entry every example exist external fetch field file find first found full future general get give given global ' +
    'go great help high highest hold hourly important include included info information internal item keep kept ' +
    'kind know known large largest last late latest least like list listed live local long look low lowest main ' +
    'make managed many mean missing monthly much name named need new newest next now number obtain old oldest open ' +
    'overdue part past pending possible present private provide public put query read real recent record related ' +
    'return run search see select send set short show similar single small some sort source start still store ' +
    'stored sum summarize summary synced system table take tell thing time today tool top total type update updated ' +
    'use used useful value various want way weekly well whole work write yearly'
  ).split(' '),
);

const nounsIn = (text: string) =>
  wordsOf(text).filter((word) => !isStopWord(word) && !UNTELLING.has(word) && !/^\d/.test(word));

/** The sources whose name, entity type or a noun of whose description is in the words of the query. */
export function namedSources(query: string, sources: readonly DescribedSource[]): DescribedSource[] {
  const asked = new Set(wordsOf(query));
  const hasAll = (name: string) => {
    const words = wordsOf(name);
    return words.length > 0 && words.every((word) => asked.has(word));
  };
  return sources.filter(
    ({ name, entity_type, description }) =>
      hasAll(name) || hasAll(entity_type) || nounsIn(description).some((word) => asked.has(word)),
  );
}

type DraftStep = OutputOf<'plan'>['steps'][number];

/** The steps as planned, but none reads a live source that the query does not name: there its name is a record type. */
export function withoutUnnamed(steps: DraftStep[], unnamed: ReadonlySet<string>): DraftStep[] {
  return steps.map((step) => {
    const { source, entity_types } = step.params;
    if (typeof source !== 'string' || !unnamed.has(source)) return step;
    return {
      ...step,
      params: { ...step.params, source: 'entities', entity_types: entity_types ?? [source] },
    };
  });
}
