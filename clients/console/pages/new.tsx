// A new run from a query, a plan, a dossier or JSON; empty, copied from a run, or from a request in the address.
import { useMemo } from 'preact/hooks';
import { NewRun } from '../form/new-run.tsx';
import { RunForm } from '../form/run-form.ts';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import type { Session } from '../session.ts';
import { useTitle } from '../title.ts';
import type { Query } from '../view-models/address.ts';
import { requestOf } from '../view-models/commands.ts';
import { draftOf, type Kind } from '../view-models/draft.ts';
import type { PageProps } from './page.ts';

/** The form's initial content. */
interface Start {
  kind: Kind;
  draft: Readonly<Record<string, unknown>>;
  json: string;
}

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

function Form({ session, start: { kind, draft, json } }: { session: Session; start: Start }) {
  const form = useMemo(() => new RunForm(session, kind, draft, json), []);
  return <NewRun form={form} />;
}

async function startOf(
  { client }: Session,
  { from, body, kind }: Query,
  signal: AbortSignal,
): Promise<Start> {
  if (from) return startWith(requestOf(await client.runs.get(from, { signal })));
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

const startWith = (body: unknown): Start => ({ ...draftOf(body), json: JSON.stringify(body, undefined, 2) });
