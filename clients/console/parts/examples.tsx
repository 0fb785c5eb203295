// Three sample runs for first-time users, about the records of the workspace; without records, how to import some.
import type { CreateRun, EntityType } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import { freshKey } from '../fresh-key.ts';
import { useResource } from '../resource.ts';
import { go, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { plansOf, queryOf } from '../view-models/plan-examples.ts';
import { ActionButton, ActionError } from './action.tsx';
import { NoRecords } from './no-records.tsx';
import { Show } from './show.tsx';

export function Examples({ session }: { session: Session }) {
  const types = useResource('types', (signal) => session.client.entities.types({ signal }));
  return (
    <section aria-labelledby="no-runs">
      <h2 id="no-runs">No run yet</h2>
      <Show resource={types}>
        {([type]) => (type ? <Cards session={session} type={type} /> : <NoRecords />)}
      </Show>
    </section>
  );
}

/** A run to try, and a short description. */
interface Example {
  title: string;
  shows: string;
  body: () => CreateRun | Promise<CreateRun>;
}

function Cards({ session, type }: { session: Session; type: EntityType }) {
  const action = useAction();
  const { client } = session;
  const query = queryOf(type);
  const [plan] = plansOf(type);
  const dossier = async (): Promise<CreateRun> => {
    const [found] = await client.entities.search({ type: type.type, limit: 1 });
    if (!found) throw new Error(`There is no ${type.type} any more.`);
    return { input_type: 'preset', preset: 'dossier', params: { entity: { id: found.entity_id } } };
  };
  const examples: Example[] = [
    { title: 'Ask a question', shows: query, body: () => ({ input_type: 'query', query }) },
    ...(plan ? [{ title: 'Run a plan', shows: plan.plan.title, body: () => plan }] : []),
    { title: 'Write a dossier', shows: `About the first ${type.type} of the workspace`, body: dossier },
  ];
  const create = async ({ body }: Example) => {
    const { id } = await client.runs.create(await body(), { idempotencyKey: freshKey() });
    go(link(`runs/${id}`));
  };
  const may = allows(session, 'runs:create');
  return (
    <>
      <p>
        {may
          ? 'Start with one of these. Each creates a run at once.'
          : 'This key may not create runs: it has no scope runs:create.'}
      </p>
      <ul class="cards">
        {examples.map((example) => (
          <li key={example.title}>
            <ActionButton action={action} act={() => create(example)} disabled={!may}>
              <strong>{example.title}</strong>
              <span class="hint">{example.shows}</span>
            </ActionButton>
          </li>
        ))}
      </ul>
      <ActionError action={action} />
    </>
  );
}
