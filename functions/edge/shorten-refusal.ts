// Makes every refusal short, whatever was sent (rules.md: errors 5).
import { limits } from '#contract/limits.ts';
import { cut } from '#platform/cut.ts';

/** Members whose texts may be longer: a reference is never longer if well-formed, and a model writes the question. */
const longMembers: ReadonlyMap<string, number> = new Map([
  ['ref', limits.external_uri_max_characters],
  ['question', limits.external_uri_max_characters],
]);

/** The body of a refusal with each text cut, and of each list as many members as fit into a short reply. */
export function shortRefusal<B extends object>(body: B): B {
  for (let members: number = limits.issues_max; ; members = Math.floor(members / 2)) {
    const short = shorten(body, limits.error_value_max_characters, members);
    // Only texts and lists became shorter, so the type is the same.
    if (members === 0 || byteLengthOf(short) <= limits.error_reply_max_bytes) return short as B;
  }
}

const byteLengthOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function shorten(value: unknown, characters: number, members: number): unknown {
  if (typeof value === 'string') return cut(value, characters);
  if (Array.isArray(value)) return value.slice(0, members).map((one) => shorten(one, characters, members));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'received') return [name, shortText(member)];
      if (name === 'path' && Array.isArray(member)) return [name, shortPath(member)];
      return [cut(name, characters), shorten(member, longMembers.get(name) ?? characters, members)];
    }),
  );
}

/** A value of any shape, or the beginning of its text when that is too long. */
function shortText(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const short = cut(text, limits.error_value_max_characters);
  return short === text ? value : short;
}

/** The first segments that fit, each of them cut. */
function shortPath(path: unknown[]): unknown[] {
  let room: number = limits.issue_path_max_characters;
  return path.map(shortText).filter((segment) => {
    room -= String(segment).length;
    return room >= 0;
  });
}
