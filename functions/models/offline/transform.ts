// Transformation: new fields for one item, copied or computed from its data.
import type { Json } from '#contract/json.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { wordsOf } from '#platform/words.ts';
import { cached } from './cached.ts';
import { computed } from './computed.ts';
import { sentenceOf } from './in-words.ts';
import { type Field, fieldsOf, humanName, keyWords, shown } from './items.ts';
import { akin, coverage, coverageOf, subjectWords } from './relevance.ts';
import { fieldSynonyms } from './vocabulary.ts';

/** A value for each of `output_fields`; null where the item has no answer. */
export function transform({
  instructions,
  item,
  output_fields,
}: InputOf<'transform'>): OutputOf<'transform'> {
  const alone = output_fields.length === 1;
  const valueFor = (name: string) =>
    fieldFor(name, item, {
      alone,
      instructions,
      asked: alone ? instructions : partAbout(name, instructions),
    });
  return { fields: Object.fromEntries(output_fields.map((name) => [name, valueFor(name)])) };
}

// The items of a step share its instructions.
const wordsIn = cached(10, wordsOf);
const subjectIn = cached(10, subjectWords);
const partsOf = cached(10, (instructions) =>
  instructions.split(/[.;,\n]|\band\b/i).map((part) => ({ part, own: wordsOf(part) })),
);

/** The part of the instructions about a field; '' when none is. */
const partAbout = (name: string, instructions: string) =>
  partsOf(instructions).find(({ own }) => coverageOf(keyWords(name), own) === 1)?.part ?? '';

/** What is asked for a field: all instructions when it is the only one. */
interface Asked {
  alone: boolean;
  instructions: string;
  asked: string;
}

const EXTRACTS = /^\s*(?:please\s+)?(?:extract|copy|get|return|take|read|find|look up|pull|give)\b/i;

/** A field of that name; else a computation the name asks for; else a similar field; else what the instructions ask. */
function fieldFor(name: string, item: ModelItem, { alone, instructions, asked }: Asked): Json {
  const words = keyWords(name);
  const wording = wordsIn(asked);
  const own: Field[] = [
    { key: 'name', value: item.name },
    { key: 'type', value: item.type },
  ];
  const fields = [...own, ...fieldsOf(item)];
  const same = fields.find(({ key }) => keyWords(key).join(' ') === words.join(' '));
  if (same) return same.value;
  const byName = computed(words, [...words, ...wording], instructions, item);
  if (byName !== undefined) return byName;
  const like =
    fields.find(({ key }) => words.every((word) => hasPart(key, fieldSynonyms(word)))) ??
    fields.find(({ key }) => keyWords(key).every((word) => words.includes(word)));
  if (like) return like.value;
  const extracts = EXTRACTS.test(asked);
  if (alone) {
    const byOrder = computed(wording, wording, instructions, item);
    if (byOrder !== undefined) return byOrder;
    const wanted = fields.filter(({ key }) => extracts && coverageOf(keyWords(key), wording) === 1);
    if (wanted.length === 1) return wanted[0]?.value ?? null;
    if (wanted.length > 1)
      return wanted.map(({ key, value }) => `${humanName(key)}: ${shown(value)}`).join(', ');
  }
  if (extracts && coverage(words, asked) > 0) return null;
  return sentenceOf(item, [...words, ...subjectIn(instructions)]);
}

const hasPart = (key: string, names: string[]) =>
  keyWords(key).some((part) => names.some((name) => akin(part, name)));
