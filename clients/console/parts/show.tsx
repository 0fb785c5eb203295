// Renders a resource in each of its states: a skeleton while loading, the error, or the value.
import type { ComponentChildren } from 'preact';
import type { Resource } from '../resource.ts';
import { ErrorNote } from './error-note.tsx';

interface Props<T> {
  resource: Resource<T>;
  children: (value: T) => ComponentChildren;
}

export function Show<T>({ resource, children }: Props<T>) {
  const loaded = resource.loaded.value;
  if (loaded.state === 'loading') return <Skeleton />;
  if (loaded.state === 'failed')
    return <ErrorNote error={loaded.error} retry={() => void resource.reload()} />;
  return (
    <>
      {loaded.error !== undefined && <ErrorNote error={loaded.error} retry={() => void resource.reload()} />}
      {children(loaded.value)}
    </>
  );
}

/** Shown while loading; the style sheet delays it by 200 ms. */
function Skeleton() {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">Loading</span>
      <i />
      <i />
      <i />
    </div>
  );
}
