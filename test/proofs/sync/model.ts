// What messages of inbound sync make of a workspace: a plain fold.
import fc from 'fast-check';

export interface Message {
  type: 'company' | 'person' | 'employment';
  id: string;
  deletes: boolean;
  version: number | undefined;
  attributes: Record<string, string | undefined>;
}

const ids = ['1', '2', '3', '4', '5', '6'];
const someId = fc.constantFrom(...ids);
/** Any message of a bridge, now and then without a version, or with an old one. */
export const message: fc.Arbitrary<Message> = fc
  .record({
    type: fc.constantFrom('company' as const, 'company' as const, 'person' as const, 'employment' as const),
    id: someId,
    deletes: fc.oneof(
      { weight: 3, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    version: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined, freq: 8 }),
    person_id: someId,
    company_id: someId,
    tag: fc.uuid(),
  })
  .map(({ type, person_id, company_id, tag, ...rest }) => {
    const own: Message['attributes'] =
      type === 'employment' ? { person_id, company_id, role: tag } : { name: tag, full_name: tag };
    return { type, ...rest, attributes: own };
  });

/** What one workspace knows of one resource. */
interface Known {
  version: number | undefined;
  /** Grows with each new life of a record, so that a link to a former life is a link to nothing. */
  life: number;
  alive: boolean;
  tag: string;
  ends: string[];
}

/** One workspace as the rules have it: returns whether a message counts. */
export class Model {
  readonly known = new Map<string, Known>();
  readonly #types: string[];
  constructor(types: string[]) {
    this.#types = types;
  }

  #endKey(type: string, id: string | undefined): string | undefined {
    const end = this.known.get(`${type}:${id}`);
    return end?.alive ? `${type}:${id}:${end.life}` : undefined;
  }

  #alive(known: Known | undefined): boolean {
    const lives = (end: string) => {
      const [type = '', id, life] = end.split(':');
      return this.#endKey(type, id) === `${type}:${id}:${life}`;
    };
    return known?.alive === true && known.ends.every(lives);
  }

  apply({ type, id, deletes, version, attributes }: Message): boolean {
    if (!this.#types.includes(type)) return false;
    const key = `${type}:${id}`;
    const before = this.known.get(key);
    if (version !== undefined && before?.version !== undefined && version < before.version) return false;
    const after = { version: version ?? before?.version, tag: '', ends: [] };
    if (deletes) {
      this.known.set(key, { ...after, life: before?.life ?? 0, alive: false });
      return (before?.life ?? 0) > 0;
    }
    const ends =
      type === 'employment'
        ? [this.#endKey('person', attributes.person_id), this.#endKey('company', attributes.company_id)]
        : [];
    if (ends.includes(undefined)) return false;
    const life = this.#alive(before) ? (before?.life ?? 1) : (before?.life ?? 0) + 1;
    const tag = attributes.role ?? attributes.name ?? '';
    this.known.set(key, { ...after, life, alive: true, tag, ends: ends.flatMap((end) => end ?? []) });
    return true;
  }

  tags(kind: 'entity' | 'relationship'): string[] {
    return [...this.known]
      .filter(
        ([key, known]) => key.startsWith('employment') === (kind === 'relationship') && this.#alive(known),
      )
      .map(([, known]) => known.tag)
      .sort();
  }
}
