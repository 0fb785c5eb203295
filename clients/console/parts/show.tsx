// Draws a resource in each of its states: a skeleton while it loads, what went wrong, or the value.
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

/** Shown while something loads; the style sheet lets it appear after 200 ms only. */
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
