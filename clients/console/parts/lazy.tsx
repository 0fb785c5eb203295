// A page that is loaded when somebody goes there first.
import type { ComponentType } from 'preact';
import { useResource } from '../resource.ts';
import { Show } from './show.tsx';

/** The component that `load` gives, as a component that loads it. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function Lazy(props: P) {
    const page = useResource('page', load);
    return <Show resource={page}>{(Page) => <Page {...props} />}</Show>;
  };
}
