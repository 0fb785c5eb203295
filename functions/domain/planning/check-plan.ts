// What a model has planned, compared with what the workspace has (rules.md: query 6, query 7).
import { distance } from 'fastest-levenshtein';
import { type Condition, nameOfPath, readField, Where } from '#contract/conditions.ts';
import type { Warning } from '#contract/events.ts';
import type { Outline } from '#contract/record-queries.ts';
import { fixedSource, isListed, sameType } from '#contract/source-names.ts';
import type { AskRecords } from '#domain/records/records-client.ts';
import type { OutputOf } from '#models/tasks/task-registry.ts';
import { plain } from '#record-index/plain-names.ts';

type Steps = OutputOf<'plan'>['steps'];

/** What steps may name. */
export interface Named {
  /** The entity types of the workspace; undefined: more than were read. */
  types: readonly string[] | undefined;
  /** The live sources that the query names. */
  sources: readonly string[];
}

/** Each text takes a question or two, and a model may write thousands of them: those beyond stay as they are. */
const LOOKED_UP_MAX = 100;

/** Kinds that bring items, and kinds that only work on those of earlier steps. */
const READING = new Set(['fetch', 'vector_search', 'inject_context']);
const WORKING = new Set(['filter', 'transform', 'discover', 'analyze']);

/** What makes a plan answer from nothing, in words that a model can act on; [] if nothing does. */
export function nonsenseIn(steps: Steps, { types, sources }: Named): string[] {
  const firstReading = steps.findIndex(({ kind }) => READING.has(kind));
  if (firstReading < 0) return ['No step reads anything: begin with `fetch` or `vector_search`.'];
  return steps.flatMap((step, i) => [
    ...(WORKING.has(step.kind) && i < firstReading
      ? [`steps[${i}]: ${step.kind} comes before any step that reads, so it has no items.`]
      : []),
    ...unknownNames(step, types, sources).map(
      (name) => `steps[${i}]: there is no source and no type "${name}"; use one of \`shape\`.`,
    ),
  ]);
}

function unknownNames(
  { params }: Steps[number],
  types: readonly string[] | undefined,
  sources: readonly string[],
): string[] {
  if (!types) return [];
  const isType = (name: string) => types.some((type) => sameType(type, name));
  const source = typeof params.source === 'string' ? params.source : undefined;
  const isSource =
    source === undefined || fixedSource(source) !== undefined || sources.includes(source) || isType(source);
  const ofRecords = source === undefined || (!isListed(source) && !sources.includes(source));
  return [
    ...(isSource ? [] : [source]),
    ...(ofRecords ? typesIn(params).filter((name) => !isType(name)) : []),
  ];
}

const typesIn = (params: Steps[number]['params']): string[] =>
  Array.isArray(params.entity_types) ? params.entity_types.filter((name) => typeof name === 'string') : [];

/**
 * The steps with the texts of their conditions spelled as the records have them, and what to say of it: of each that is
 * spelled in another way, and of each that no record has, with the nearest. Throws as questions to records do.
 */
export async function spelledAsRecorded(
  steps: Steps,
  shape: Outline,
  liveSources: readonly string[],
  ask: AskRecords,
): Promise<{ steps: Steps; warnings: Warning[] }> {
  const warnings: Warning[] = [];
  const spelled: Steps = [];
  let lookedUp = 0;
  for (const [step_index, step] of steps.entries()) {
    const { where, source } = step.params;
    const isLive = typeof source === 'string' && liveSources.includes(source);
    const parsed = where === undefined || isLive ? undefined : Where.safeParse(where).data;
    if (!parsed) {
      spelled.push(step);
      continue;
    }
    const respelled = await respell(parsed, async (field, value) => {
      lookedUp += 1;
      if (lookedUp > LOOKED_UP_MAX) return value;
      const found = await spellingOf(field, value, shape, ask);
      const said = sentenceOn(field, value, found);
      if (said)
        warnings.push({
          code: 'assumed_interpretation',
          message: said,
          step_index,
          details: {
            field,
            value,
            ...('nearest' in found ? { nearest: found.nearest } : { taken: found.spelling }),
          },
        });
      return 'nearest' in found ? value : found.spelling;
    });
    spelled.push({ ...step, params: { ...step.params, where: respelled } });
  }
  return { steps: spelled, warnings };
}

/** How the records spell a text, or the nearest text that they have. */
type Spelling = { spelling: string } | { nearest: string | null };

async function spellingOf(field: string, value: string, shape: Outline, ask: AskRecords): Promise<Spelling> {
  const named = readField(field);
  if ('attribute' in named && named.attribute !== 'name') return { spelling: value };
  const where = { field, op: '=', value } as const;
  const { matched } = await ask('find', { types: null, where, sort: 'as_read', limit: 1 });
  if (matched > 0) return { spelling: value };
  const known = 'path' in named ? await valuesLike(value, named.path, ask) : await namesLike(value, ask);
  const same = known.find((one) => plain(one) === plain(value));
  if (same !== undefined) return { spelling: same };
  const samples =
    'path' in named
      ? shape.types.flatMap(({ fields }) =>
          fields.filter(({ path }) => path === named.path).flatMap(samplesOf),
        )
      : [];
  return { nearest: nearestTo(value, [...known, ...samples]) };
}

const samplesOf = ({ samples }: { samples: string[] }) => samples;

const LIKE_MAX = 50;

/** Texts of a field that have the words of this one, as the records spell them. */
async function valuesLike(text: string, path: string, ask: AskRecords): Promise<string[]> {
  const found = await ask('mentionedValues', { text, limit: LIKE_MAX });
  return found.flatMap((one) => (nameOfPath(one.path) === nameOfPath(path) ? [one.value] : []));
}

async function namesLike(text: string, ask: AskRecords): Promise<string[]> {
  return (await ask('mentionedRecords', { text, limit: LIKE_MAX })).map(({ name }) => name);
}

/** The text with the fewest edits, if they are few; null without one. */
function nearestTo(text: string, known: string[]): string | null {
  const asked = plain(text);
  const ranked = [...new Set(known)]
    .map((one) => ({ one, edits: distance(asked, plain(one)) }))
    .toSorted((left, right) => left.edits - right.edits);
  const [best] = ranked;
  return best && best.edits <= Math.max(1, asked.length / 3) ? best.one : null;
}

/** What to say of a text; undefined where it is spelled as on a record. */
function sentenceOn(field: string, value: string, found: Spelling): string | undefined {
  if (!('nearest' in found))
    return found.spelling === value ? undefined : `"${value}" of ${field} was taken as "${found.spelling}".`;
  const nearest = found.nearest === null ? '' : ` The nearest is "${found.nearest}".`;
  return `No record has "${value}" in ${field}.${nearest}`;
}

/** The condition with each text that must be equal replaced by `spell`. Nesting is bounded by the schema. */
async function respell(
  where: Where,
  spell: (field: string, value: string) => Promise<string>,
): Promise<Where> {
  const each = (members: Where[]) => inTurn(members, (member) => respell(member, spell));
  if ('and' in where) return { and: await each(where.and) };
  if ('or' in where) return { or: await each(where.or) };
  if ('not' in where) return { not: await respell(where.not, spell) };
  return spellCondition(where, spell);
}

async function spellCondition(
  condition: Condition,
  spell: (field: string, value: string) => Promise<string>,
): Promise<Condition> {
  const { field, op, value } = condition;
  if ((op === '=' || op === '!=') && typeof value === 'string')
    return { field, op, value: await spell(field, value) };
  if (op !== 'in') return condition;
  const values = await inTurn(value, async (one) => (typeof one === 'string' ? spell(field, one) : one));
  return { field, op, value: values };
}

/** The results of `work` in order, one after the other. */
async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await work(one));
  return results;
}
