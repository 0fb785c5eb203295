// What the key and its workspace use, and what they may still use.
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { useTitle } from '../title.ts';
import type { PageProps } from './page.ts';

export function UsagePage({ session }: PageProps) {
  useTitle('Usage');
  const me = useResource('me', (signal) => session.client.me({ signal }));
  return (
    <>
      <h1>Usage</h1>
      <Show resource={me}>{({ workspace }) => <p>{workspace.name}</p>}</Show>
    </>
  );
}
