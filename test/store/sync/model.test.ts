// Many messages, shuffled and repeated, against a model that is a plain fold; `npm run race:sync` sends more of them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allEntities, allRelationships } from '../../support/records-in-table.ts';
import { newBridge, newWorkspace, push, remove, resources, sync, useBridges } from './bridges.ts';

useBridges();

/** How many random rounds; without it, one round that is short and always the same. */
const rounds = Number(process.env.SYNC_ROUNDS ?? 0);
const timeout = 60_000 + rounds * 30_000;
const check =
  rounds > 0 ? { numRuns: rounds, endOnFailure: true } : { numRuns: 1, seed: 8, endOnFailure: true };

interface Message {
  type: 'company' | 'person' | 'employment';
  id: string;
  deletes: boolean;
  version: number | undefined;
  attributes: Record<string, string | undefined>;
}

const ids = ['1', '2', '3', '4', '5', '6'];
const someId = fc.constantFrom(...ids);
const message: fc.Arbitrary<Message> = fc
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
class Model {
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

const WORKSPACES = 5;

/** Five workspaces, of which the last takes companies only. */
async function setUp() {
  const workspaces = await Promise.all(Array.from({ length: WORKSPACES }, () => newWorkspace()));
  const typesOf = (i: number) => (i === WORKSPACES - 1 ? ['company'] : ['company', 'person', 'employment']);
  const bridge = await newBridge([], {
    workspaces: workspaces.map((workspace_id, i) => ({
      workspace_id,
      resources: resources.filter(({ type }) => typesOf(i).includes(type)),
    })),
  });
  return { bridge, workspaces, models: workspaces.map((_, i) => new Model(typesOf(i))) };
}

function send(bridge: string, { type, id, deletes, version, attributes }: Message): Promise<number> {
  return sync(bridge, deletes ? remove(type, id, { version }) : push(type, id, attributes, { version }));
}

async function tagsIn(workspace: string): Promise<{ entities: string[]; relationships: unknown[] }> {
  const [records, links] = await Promise.all([allEntities(workspace), allRelationships(workspace)]);
  return {
    entities: records.map(({ name }) => name).sort(),
    relationships: links.map(({ metadata }) => metadata.role).sort(),
  };
}

test('one after the other: every count and every final state is that of the model', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, rounds > 0 ? { minLength: 80, maxLength: 120 } : { minLength: 60, maxLength: 80 }),
      async (messages) => {
        const { bridge, workspaces, models } = await setUp();
        for (const one of messages) {
          const expected = models.map((model) => model.apply(one)).filter(Boolean).length;
          expect(await send(bridge, one)).toBe(expected);
        }
        for (const [i, workspace] of workspaces.entries())
          expect(await tagsIn(workspace)).toEqual({
            entities: models[i]?.tags('entity'),
            relationships: models[i]?.tags('relationship'),
          });
      },
    ),
    check,
  );
});

const entityMessages = fc.array(
  message.filter(({ type }) => type !== 'employment'),
  rounds > 0 ? { minLength: 150, maxLength: 200 } : { minLength: 60, maxLength: 80 },
);

test('at once, shuffled and repeated: the highest version wins everywhere, and nothing comes back from the dead', {
  timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(entityMessages, async (drawn) => {
      const { bridge, workspaces, models } = await setUp();
      const messages = drawn.map((one, i) => ({ ...one, version: i }));
      for (const one of messages) for (const model of models) model.apply(one);
      const shuffled = [...messages, ...messages.slice(0, 50)]
        .map((one) => ({ one, at: one.attributes.name ?? '' }))
        .sort((a, b) => (a.at < b.at ? -1 : 1))
        .map(({ one }) => one);
      const queue = shuffled.values();
      const worker = async () => {
        for (const one of queue) await send(bridge, one);
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      for (const [i, workspace] of workspaces.entries())
        expect((await tagsIn(workspace)).entities).toEqual(models[i]?.tags('entity'));
    }),
    check,
  );
});
