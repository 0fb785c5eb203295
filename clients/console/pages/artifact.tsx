// One artifact.
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { useTitle } from '../title.ts';
import type { PageProps } from './page.ts';

export function ArtifactPage({ session, id }: PageProps) {
  useTitle('Artifact');
  const artifact = useResource(id, (signal) => session.client.artifacts.get(id, { links: true, signal }));
  return (
    <>
      <h1>Artifact</h1>
      <Show resource={artifact}>{(value) => <pre>{JSON.stringify(value, undefined, 2)}</pre>}</Show>
    </>
  );
}
