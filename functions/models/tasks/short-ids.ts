// Short ids in place of long ones in a prompt and its answer: a UUID costs 30 tokens, and a model invents half of it.
import type { JsonObject } from '#contract/json.ts';
import { linkTargets } from '#platform/linked-markdown.ts';
import type { ModelItem } from './model-task.ts';

const LINK = /\]\(\s*(entity|note|artifact)\s*=\s*([^\s()]{1,200})\s*\)/gi;

/** `r1`, `r2`, … for ids, in the order given. */
export class ShortIds {
  readonly #short = new Map<string, string>();
  /** By the short id, and by the id itself in lower case: a model may have it from a text. */
  readonly #real = new Map<string, string>();

  constructor(ids: Iterable<string>, letter = 'r') {
    for (const id of ids) {
      if (this.#short.has(id)) continue;
      const short = `${letter}${this.#short.size + 1}`;
      this.#short.set(id, short);
      this.#real.set(short, id);
    }
    for (const id of this.#short.keys())
      if (!this.#real.has(id.toLowerCase())) this.#real.set(id.toLowerCase(), id);
  }

  /** The ids that have a short one. */
  get ids(): string[] {
    return [...this.#short.keys()];
  }

  /** All short ids. */
  get all(): string[] {
    return [...this.#short.values()];
  }

  /** The short id; an id that has none stays. */
  of(id: string): string {
    return this.#short.get(id) ?? id;
  }

  /** The id that an answer means; undefined for an invented one. */
  real(answered: string): string | undefined {
    return this.#real.get(answered.trim().toLowerCase());
  }

  /** The text with short ids in its links. */
  shorten(text: string): string {
    return text.replace(LINK, (_, kind: string, id: string) => `](${kind.toLowerCase()}=${this.of(id)})`);
  }

  /** The text with the ids that its links mean; invented ones stay, and lead nowhere. */
  restore(text: string): string {
    return text.replace(
      LINK,
      (_, kind: string, id: string) => `](${kind.toLowerCase()}=${this.real(id) ?? id})`,
    );
  }

  /** An item with its short id, also where a field is the id of another. */
  item({ id, type, name, fields }: ModelItem): ModelItem {
    return { id: this.of(id), type, name, fields: this.#fields(fields) };
  }

  #fields(fields: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'string' ? this.shorten(this.of(value)) : value,
      ]),
    );
  }
}

/** Ids for everything that a text on these items and texts may link to. */
export function linkIds(items: readonly ModelItem[], texts: readonly string[]): ShortIds {
  const ends = items.flatMap(({ type, fields }) =>
    type === 'relationship' ? [fields.from_id, fields.to_id].filter((id) => typeof id === 'string') : [],
  );
  const linked = texts.flatMap(linkTargets).flatMap((target) => {
    const [, kind = '', id] = /^(\w+)=(.*)$/.exec(target) ?? [];
    return id !== undefined && ['entity', 'note', 'artifact'].includes(kind) ? [id] : [];
  });
  return new ShortIds([...items.map(({ id }) => id), ...ends, ...linked]);
}
