// A page that is loaded on its first visit.
import type { ComponentType } from 'preact';
import { useResource } from '../resource.ts';
import { Show } from './show.tsx';

/** A component that loads the one from `load`. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function Lazy(props: P) {
    const page = useResource('page', load);
    return <Show resource={page}>{(Page) => <Page {...props} />}</Show>;
  };
}
