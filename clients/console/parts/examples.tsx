// Three sample runs for first-time users.
import { useAction } from '../action.ts';
import { type Example, examples } from '../examples.ts';
import { freshKey } from '../fresh-key.ts';
import { go, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { ErrorNote } from './error-note.tsx';

export function Examples({ session }: { session: Session }) {
  const { pending, error, start } = useAction();
  const create = async ({ body }: Example) => {
    const { id } = await session.client.runs.create(await body(session.client), {
      idempotencyKey: freshKey(),
    });
    go(link(`runs/${id}`));
  };
  return (
    <section aria-labelledby="no-runs">
      <h2 id="no-runs">No run yet</h2>
      <p>
        {allows(session, 'runs:create')
          ? 'Start with one of these. Each creates a run at once.'
          : 'This key may not create runs: it has no scope runs:create.'}
      </p>
      <ul class="cards">
        {examples.map((example) => (
          <li key={example.title}>
            <button
              type="button"
              disabled={pending.value || !allows(session, 'runs:create')}
              onClick={() => void start(() => create(example))}
            >
              <strong>{example.title}</strong>
              <span>{example.shows}</span>
            </button>
          </li>
        ))}
      </ul>
      {error.value !== undefined && <ErrorNote error={error.value} />}
    </section>
  );
}
