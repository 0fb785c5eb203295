// The first failed check of a request in words that are enough by themselves: the field, what is wrong, what to send
// (rules.md: errors 7).
import { reasonTexts } from './error-reasons.ts';
import type { Issue } from './issue.ts';
import { nearest } from './nearest.ts';

/** What of a value or a name that was sent is repeated. */
const SHOWN_MAX = 60;
/** More names are not listed. */
const LISTED_MAX = 12;

/** Controls, and marks that change the direction of a text. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/** Keys of this service, and the user and password of a URL. */
const SECRETS = /\bsk_\w+|(?<=:\/\/)[^\s/@]+(?=@)/g;

function shown(text: string): string {
  const line = text
    .slice(0, 10 * SHOWN_MAX)
    .replace(SECRETS, '…')
    .replace(UNSHOWN, ' ')
    .trim();
  const points = [...line];
  return points.length <= SHOWN_MAX ? line : `${points.slice(0, SHOWN_MAX - 1).join('')}…`;
}
const code = (name: string) => `\`${shown(name).replaceAll('`', "'")}\``;
/** The first segments of a path: no schema is deeper, but what was sent may be. */
const PATH_MAX = 12;
const pathText = (path: Issue['path']) =>
  `\`${path
    .slice(0, PATH_MAX)
    .map((name) => shown(String(name)).replaceAll('`', "'"))
    .join('.')}\``;

/** `a, b or c`. */
function oneOf(names: readonly string[]): string {
  const [last = '', ...before] = [...names].reverse();
  return before.length === 0 ? last : `${before.reverse().join(', ')} or ${last}`;
}

/** Whether a name was meant, as a question; empty if none is near. */
function suggestion(asked: string, names: readonly string[], as = code): string {
  const found = nearest(asked, names);
  return found === undefined || found === asked ? '' : ` Did you mean ${as(found)}?`;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  boolean: 'true or false',
  null: 'null',
  nan: 'not a number',
};
const kind = (name: string) => kinds[name] ?? name;

const whereForm = '{"field": "city", "op": "=", "value": "Berlin"}';
const isOfCondition = (path: Issue['path']) => path.includes('where');

/** What is known of an issue besides itself. */
export interface IssueContext {
  /** The names that there are where one is unknown. */
  known?: readonly string[];
  /** What a name is. */
  noun?: string;
  /** The field is absent. */
  missing?: boolean;
}

/** An issue as one sentence or two. */
export function issueWords(issue: Issue, context: IssueContext = {}): string {
  const sentence = sentenceOf(issue, context);
  return isOfCondition(issue.path) && needsForm(issue)
    ? `${sentence} A condition is like ${whereForm}.`
    : sentence;
}

const needsForm = ({ path, code: kindOfIssue }: Issue) =>
  path.at(-1) === 'where' || kindOfIssue === 'custom' || kindOfIssue === 'unrecognized_keys';

function sentenceOf(issue: Issue, { known = [], noun = 'field', missing = false }: IssueContext): string {
  const { path, expected, received } = issue;
  const name = path.length === 0 ? 'The body' : pathText(path);
  if (issue.code === 'unrecognized_keys')
    return `${name} is no ${noun}.${otherNames(String(path.at(-1)), known)}`;
  const choices = choicesIn(issue);
  if (missing) return `${name} is missing.${missingWords(expected, choices)}`;
  if (choices) return choiceSentence(name, received, choices);
  if (issue.code === 'invalid_type')
    return `${name} must be ${kind(expected)}${insteadOf(expected, received)}.`;
  const size = sizeWords(issue);
  if (size) return `${name} ${size}.`;
  if (issue.message === 'This member is required') return `${name} is missing.`;
  return path.length === 0 ? ownSentence(issue) : `${name}: ${lowerFirst(ownSentence(issue))}`;
}

/** A number that is not whole is a number. */
const insteadOf = (expected: string, received: string) =>
  expected === 'int' && received === 'number' ? '' : `, not ${kind(received)}`;

/** The sentence of a rule that no schema has, and what it expects where it does not say so itself. */
function ownSentence({ message, code: kindOfIssue, expected }: Issue): string {
  const adds = kindOfIssue === 'custom' && expected !== message && !message.includes(expected);
  return adds ? `${withStop(message)} Expected: ${withStop(shown(expected))}` : withStop(message);
}

/** The nearest name, else the names that there are. */
function otherNames(asked: string, known: readonly string[]): string {
  const meant = suggestion(asked, known);
  if (meant !== '' || known.length === 0) return meant;
  const listed = known.slice(0, LISTED_MAX).map(code);
  return ` There is ${known.length > LISTED_MAX ? `${listed.join(', ')} and more` : listed.join(', ')}.`;
}

/** A list of names, as a parameter with commas expects one or some of them. */
const ONE_OF = /^One of ([\w, ]+?)(?:, or | *$)/;

/** The values that are allowed, as in JSON or as in a query; undefined if it names none. */
function choicesIn({ code: kindOfIssue, expected, message }: Issue): string[] | undefined {
  const isChoice = kindOfIssue === 'invalid_value' || kindOfIssue === 'invalid_union';
  if (isChoice && /^["\d]/.test(expected)) return expected.split(' | ');
  return kindOfIssue === 'custom' ? ONE_OF.exec(message)?.[1]?.split(', ') : undefined;
}

function choiceSentence(name: string, received: string, choices: readonly string[]): string {
  const meant = suggestion(received, choices, (choice) => choice);
  if (meant !== '') return `${name} cannot be ${shown(received)}.${meant}`;
  return `${name} must be ${choiceWords(choices)}, not ${shown(received)}.`;
}

function choiceWords(choices: readonly string[]): string {
  const listed = choices.slice(0, LISTED_MAX);
  return choices.length > LISTED_MAX ? `one of ${listed.join(', ')} and others` : oneOf(listed);
}

function missingWords(expected: string, choices: readonly string[] | undefined): string {
  if (choices) return ` Send ${choiceWords(choices)}.`;
  return kinds[expected] === undefined ? '' : ` Send ${kinds[expected]}.`;
}

const SIZE = /^Too (?:small|big): expected (\w+) to (?:be|have) ([<>]=?)(\S+)/;
/** Of a text, whose characters are counted in another way. */
const LENGTH = /^Too (?:short|long): (at (?:least|most) (\d+)) characters$/;

/** The bound of a number, or of the length of a text or list. */
function sizeWords({ message, received }: Issue): string | undefined {
  const [, length, count] = LENGTH.exec(message) ?? [];
  if (length !== undefined) return `must have ${length} character${count === '1' ? '' : 's'}`;
  const [, of, sign, bound] = SIZE.exec(message) ?? [];
  if (of === undefined || sign === undefined) return undefined;
  const words = { '>=': 'at least', '<=': 'at most', '>': 'more than', '<': 'less than' }[sign] ?? sign;
  const unit = { string: 'character', array: 'entry', map: 'member', set: 'entry' }[of];
  if (unit === undefined) return `must be ${words} ${bound}, not ${shown(received)}`;
  const plural = unit === 'entry' ? 'entries' : `${unit}s`;
  return `must have ${words} ${bound} ${bound === '1' ? unit : plural}`;
}

const withStop = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);

function lowerFirst(sentence: string): string {
  const [first = '', second = ''] = sentence;
  // Not the first letter of an abbreviation.
  return second === second.toUpperCase() && second !== ' '
    ? sentence
    : first.toLowerCase() + sentence.slice(1);
}

/** What an error says of itself when no other words are given: by its reason, its issues, its numbers. */
export function defaultWords(errorCode: string, details: object | undefined): string | undefined {
  const facts: Record<string, unknown> = { ...details };
  const reason = typeof facts.reason === 'string' ? reasonTexts.get(errorCode)?.[facts.reason] : undefined;
  if (reason !== undefined && errorCode === 'invalid_callback_url')
    return `The callback URL cannot be used: ${lowerFirst(reason)}`;
  return wordsByCode[errorCode]?.(facts) ?? reason;
}

type Words = (facts: Record<string, unknown>) => string | undefined;

const issueIn = ({ issues }: Record<string, unknown>): Issue | undefined =>
  Array.isArray(issues) ? issues[0] : undefined;

const unsupported =
  (field: string): Words =>
  ({ received, allowed }) => {
    const names = Array.isArray(allowed) ? allowed.map(String) : [];
    const sent = typeof received === 'string' ? received : typeof received;
    return `${code(sent)} is no ${field}.${suggestion(sent, names) || ` Use ${oneOf(names.map(code))}.`}`;
  };

const wordsByCode: Readonly<Record<string, Words>> = {
  schema_validation_failed: (facts) => {
    const issue = issueIn(facts);
    return issue && issueWords(issue);
  },
  missing_required_field: (facts) => {
    const issue = issueIn(facts);
    return issue && issueWords(issue, { missing: true });
  },
  unsupported_input_type: unsupported('input_type'),
  unsupported_preset: unsupported('preset'),
  plan_too_large: ({ max_steps, received }) => `The plan has ${received} steps; it may have ${max_steps}.`,
  invalid_rerun_step: ({ step_index, min_index, max_index }) =>
    `The run has no step ${step_index}: its indexes go from ${min_index} to ${max_index}.`,
  checkpoint_not_found: ({ step_index }) =>
    `No output of step ${step_index} is stored, so the run cannot go on from there.`,
  forbidden_feature: ({ required_scope, required_feature }) =>
    required_scope === undefined
      ? `The workspace does not have the feature ${required_feature}.`
      : `The key lacks the scope ${required_scope}.`,
  run_not_terminal: ({ status }) => `The run is ${status}: it has not ended, or its log is not finished yet.`,
  concurrent_runs_exceeded: ({ limit, in_flight }) =>
    `The workspace has ${in_flight} runs in flight and may have ${limit}; retry when one has ended.`,
  keys_exceeded: ({ limit }) => `The workspace has ${limit} active keys, the most that it may have.`,
  monitors_exceeded: ({ limit }) => `The workspace has ${limit} monitors, the most that it may have.`,
  unsupported_media_type: ({ received }) =>
    `The body is compressed (${shown(String(received))}); send it without Content-Encoding.`,
  payload_too_large: ({ max_bytes, received_bytes }) =>
    max_bytes === undefined
      ? undefined
      : `The body has ${received_bytes} bytes; at most ${max_bytes} are taken.`,
  workspace_cost_cap_exceeded: ({ required, available, limit_usd }) =>
    required === undefined
      ? `The workspace has spent the ${limit_usd} USD that it may spend today.`
      : `The run may cost ${required} credits, and the workspace has ${available} left.`,
};
