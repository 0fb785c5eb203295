// Messages sent to five workspaces at once, and whether the result equals the model.
import { newBridge, newWorkspace, push, remove, resources, sync } from '../../support/bridges.ts';
import { allEntities, allRelationships } from '../../support/records-in-table.ts';
import { type Message, Model } from './model.ts';

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

/**
 * Sends them one after the other: every count and every final state must be that of the model. What is not, in words.
 */
export async function oneAfterTheOther(messages: Message[]): Promise<string[]> {
  const { bridge, workspaces, models } = await setUp();
  const breaches: string[] = [];
  for (const one of messages) {
    const due = models.map((model) => model.apply(one)).filter(Boolean).length;
    const count = await send(bridge, one);
    if (count !== due)
      breaches.push(`${JSON.stringify(one)}: processed in ${count} workspaces, not in ${due}`);
  }
  for (const [i, workspace] of workspaces.entries()) {
    const { entities, relationships } = await tagsIn(workspace);
    const model = models[i];
    if (entities.join() !== model?.tags('entity').join())
      breaches.push(`the records of workspace ${i} differ`);
    if (relationships.join() !== model?.tags('relationship').join())
      breaches.push(`the relationships of workspace ${i} differ`);
  }
  return breaches;
}

const AT_ONCE = 8;
const REPEATED = 50;

/**
 * Sends messages of records at once, shuffled and some of them twice: the highest version must win everywhere, and no
 * deleted record live again.
 */
export async function atOnce(drawn: Message[]): Promise<string[]> {
  const { bridge, workspaces, models } = await setUp();
  const messages = drawn.map((one, i) => ({ ...one, version: i }));
  for (const one of messages) for (const model of models) model.apply(one);
  const shuffled = [...messages, ...messages.slice(0, REPEATED)]
    .map((one) => ({ one, at: one.attributes.name ?? '' }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ one }) => one);
  const queue = shuffled.values();
  const worker = async () => {
    for (const one of queue) await send(bridge, one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const found = await Promise.all(workspaces.map(tagsIn));
  return found.flatMap(({ entities }, i) =>
    entities.join() === models[i]?.tags('entity').join() ? [] : [`the records of workspace ${i} differ`],
  );
}
