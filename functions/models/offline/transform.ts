// Transformation: new fields for one item, copied or computed from its data.
import type { Json } from '#contract/json.ts';
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import type { ModelItem } from '#models/tasks/task.ts';
import { wordsOf } from '#platform/words.ts';
import { facts } from './analyze.ts';
import { cached } from './cached.ts';
import { computed } from './computed.ts';
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
  return {
    fields: Object.fromEntries(
      output_fields.map((name) => [name, valueFor(name, instructions, item, alone)]),
    ),
  };
}

/** A field of that name; else a computation the name asks for; else a similar field; else what the instructions ask. */
function valueFor(name: string, instructions: string, item: ModelItem, alone: boolean): Json {
  const words = keyWords(name);
  const fields: Field[] = [
    { key: 'name', value: item.name },
    { key: 'type', value: item.type },
    ...fieldsOf(item),
  ];
  const same = fields.find(({ key }) => keyWords(key).join(' ') === words.join(' '));
  if (same) return same.value;
  const asked = sentenceFor(name, instructions, alone);
  const byName = computed(words, wordsOf(`${name} ${asked}`), instructions, item);
  if (byName !== undefined) return byName;
  const like = fields.find(({ key }) => words.every((word) => hasPart(key, fieldSynonyms(word))));
  if (like) return like.value;
  const wider = fields.find(({ key }) => keyWords(key).every((word) => words.includes(word)));
  if (wider) return wider.value;
  if (!alone)
    return extracts(asked) && coverage(words, asked) > 0 ? null : described(item, `${name} ${instructions}`);
  return answer(words, instructions, item, fields);
}

function hasPart(key: string, names: string[]): boolean {
  return keyWords(key).some((part) => names.some((name) => akin(part, name)));
}

/** The part of the instructions about a field; all of them when it is the only one or none is about it. */
function sentenceFor(name: string, instructions: string, alone: boolean): string {
  if (alone) return instructions;
  const words = keyWords(name);
  return partsOf(instructions).find(({ own }) => coverageOf(words, own) === 1)?.part ?? '';
}

/** The parts of instructions, with their words; the items of a step share them. */
const partsOf = cached(10, (instructions) =>
  instructions.split(/[.;,\n]|\band\b/i).map((part) => ({ part, own: wordsOf(part) })),
);

/** The subject of a field and its instructions; the items of a step share them. */
const subjectOf = cached(100, subjectWords);

function answer(words: string[], instructions: string, item: ModelItem, fields: Field[]): Json {
  const wording = wordsOf(instructions);
  const byOrder = computed(wording, wording, instructions, item);
  if (byOrder !== undefined) return byOrder;
  if (extracts(instructions)) {
    const wanted = fields.filter(({ key }) =>
      keyWords(key).every((word) => wording.some((other) => akin(word, other))),
    );
    if (wanted.length === 1) return wanted[0]?.value ?? null;
    if (wanted.length > 1)
      return wanted.map(({ key, value }) => `${humanName(key)}: ${shown(value)}`).join(', ');
    if (coverage(words, instructions) > 0) return null;
  }
  return described(item, `${words.join(' ')} ${instructions}`);
}

function extracts(instructions: string): boolean {
  return /^\s*(?:please\s+)?(?:extract|copy|get|return|take|read|find|look up|pull|give)\b/i.test(
    instructions,
  );
}

/** A sentence about the item: what it is and where, then its other facts, those that match the words first. */
export function described(item: ModelItem, request: string): string {
  const part = (words: string[]) =>
    fieldsOf(item).find(
      ({ key, value }) => typeof value === 'string' && value.length <= 40 && words.includes(humanName(key)),
    );
  const kind = part(['industry', 'sector', 'category']);
  const location = ['city', 'country'].flatMap((word) => part([word]) ?? []);
  const noun = [...(kind ? [shown(kind.value)] : []), humanName(item.type)].join(' ');
  const where = location.length > 0 ? ` in ${location.map(({ value }) => shown(value)).join(', ')}` : '';
  const used = new Set([kind, ...location].map((field) => field?.key));
  const rest = Object.fromEntries(
    fieldsOf(item)
      .filter(({ key }) => !used.has(key))
      .map(({ key, value }) => [key, value]),
  );
  const more =
    Object.keys(rest).length > 0 ? `: ${facts({ ...item, fields: rest }, subjectOf(request), 4)}` : '';
  return `${item.name} is ${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}${where}${more}.`.replace(
    /\.\.$/,
    '.',
  );
}
