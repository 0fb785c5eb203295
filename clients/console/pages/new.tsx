// A new run from a query, a plan, a dossier or JSON; empty, copied from a run, or from a request in the address.
import { type ReadonlySignal, useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { CreateRun, Plan } from '../../sdk/index.ts';
import { NewRun } from '../form/new-run.tsx';
import { RunForm, type Start } from '../form/run-form.ts';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import type { Session } from '../session.ts';
import { useTitle } from '../title.ts';
import type { Query } from '../view-models/address.ts';
import { requestOf } from '../view-models/commands.ts';
import { draftOf } from '../view-models/draft.ts';
import type { PageProps } from './page.ts';

/** The form's content when it opens. */
type Content = Omit<Start, 'types' | 'sources'>;

export function NewPage({ session, query }: PageProps) {
  useTitle('New run');
  // Another address starts another form.
  const name = JSON.stringify(query);
  const start = useResource(name, (signal) => startOf(session, query, signal));
  return (
    <>
      <h1>New run</h1>
      <Show resource={start}>{(begun) => <Form key={name} session={session} start={begun} />}</Show>
    </>
  );
}

function Form({ session, start }: { session: Session; start: Content }) {
  const { client } = session;
  const types = useOffered('types', (signal) => client.entities.types({ signal }));
  const sources = useOffered('sources', (signal) => client.sources.list({ signal }));
  const form = useMemo(() => new RunForm(session, { ...start, types, sources }), []);
  return <NewRun form={form} />;
}

/** What a form offers while typing. Without it, a form offers less and works all the same. */
function useOffered<T>(name: string, load: (signal: AbortSignal) => Promise<T[]>): ReadonlySignal<T[]> {
  const { loaded } = useResource(name, load);
  return useComputed(() => (loaded.value.state === 'ready' ? loaded.value.value : []));
}

async function startOf(
  { client }: Session,
  { from, as, body, kind }: Query,
  signal: AbortSignal,
): Promise<Content> {
  if (from) {
    const run = await client.runs.get(from, { plan: as === 'plan', signal });
    const request = requestOf(run);
    return startWith(as === 'plan' && run.plan ? asPlan(request, run.plan) : request);
  }
  if (body) {
    try {
      return startWith(JSON.parse(body));
    } catch {
      return { kind: 'json', draft: {}, json: body };
    }
  }
  const known = kind === 'plan' || kind === 'dossier' || kind === 'json' ? kind : 'query';
  return { kind: known, draft: {}, json: '' };
}

/** The request of a query's run with its plan in place of the query. */
const asPlan = ({ config, metadata }: CreateRun, plan: Plan): CreateRun => ({
  input_type: 'plan',
  plan,
  ...(config && { config }),
  ...(metadata && { metadata }),
});

const startWith = (body: unknown): Content => ({
  ...draftOf(body),
  json: JSON.stringify(body, undefined, 2),
});
