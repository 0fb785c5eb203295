// Transformation: new fields for one item, copied or computed from its data.
import type { Json } from '#contract/json.ts';
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import type { ModelItem } from '#models/tasks/task.ts';
import { wordsOf } from '#platform/words.ts';
import { factsOf } from './analyze.ts';
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
  const requestFor = (alone ? requestsAlone : requestsAmong)(instructions);
  const given = { alone, instructions, item, describe: describer(item) };
  return {
    fields: Object.fromEntries(output_fields.map((name) => [name, valueFor(name, requestFor(name), given)])),
  };
}

interface Given {
  /** There is no other field. */
  alone: boolean;
  instructions: string;
  item: ModelItem;
  /** A sentence about the item for those who ask for these words. */
  describe(subject: string[]): string;
}

/** What is asked for a field. The items of a step share it. */
interface Request {
  /** The part of the instructions about the field: all of them when it is the only one, '' when no part is. */
  asked: string;
  /** The words of the name and of that part. */
  wording: string[];
  subject: string[];
}

const requestsAlone = cached(10, (instructions) =>
  cached(
    100,
    (name): Request => ({
      asked: instructions,
      wording: wordsOf(`${name} ${instructions}`),
      subject: subjectWords(`${keyWords(name).join(' ')} ${instructions}`),
    }),
  ),
);

const requestsAmong = cached(10, (instructions) => {
  const parts = instructions.split(/[.;,\n]|\band\b/i).map((part) => ({ part, own: wordsOf(part) }));
  return cached(100, (name): Request => {
    const words = keyWords(name);
    const asked = parts.find(({ own }) => coverageOf(words, own) === 1)?.part ?? '';
    const subject = subjectWords(`${name} ${instructions}`);
    return { asked, wording: wordsOf(`${name} ${asked}`), subject };
  });
});

/** A field of that name; else a computation the name asks for; else a similar field; else what the instructions ask. */
function valueFor(name: string, request: Request, given: Given): Json {
  const { asked, wording, subject } = request;
  const { alone, instructions, item, describe } = given;
  const words = keyWords(name);
  const fields: Field[] = [
    { key: 'name', value: item.name },
    { key: 'type', value: item.type },
    ...fieldsOf(item),
  ];
  const same = fields.find(({ key }) => keyWords(key).join(' ') === words.join(' '));
  if (same) return same.value;
  const byName = computed(words, wording, instructions, item);
  if (byName !== undefined) return byName;
  const like = fields.find(({ key }) => words.every((word) => hasPart(key, fieldSynonyms(word))));
  if (like) return like.value;
  const wider = fields.find(({ key }) => keyWords(key).every((word) => words.includes(word)));
  if (wider) return wider.value;
  if (!alone) return extracts(asked) && coverage(words, asked) > 0 ? null : describe(subject);
  return answer(words, request, given, fields);
}

function hasPart(key: string, names: string[]): boolean {
  return keyWords(key).some((part) => names.some((name) => akin(part, name)));
}

function answer(
  words: string[],
  { subject }: Request,
  { instructions, item, describe }: Given,
  fields: Field[],
): Json {
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
  return describe(subject);
}

function extracts(instructions: string): boolean {
  return /^\s*(?:please\s+)?(?:extract|copy|get|return|take|read|find|look up|pull|give)\b/i.test(
    instructions,
  );
}

/** A sentence about the item: what it is and where, then its other facts, those that match the subject first. */
export function describer(item: ModelItem): (subject: string[]) => string {
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
  const head = `${item.name} is ${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}${where}`;
  const factsFor = Object.keys(rest).length > 0 ? factsOf({ ...item, fields: rest }) : undefined;
  return (subject) => `${head}${factsFor ? `: ${factsFor(subject, 4)}` : ''}.`.replace(/\.\.$/, '.');
}
