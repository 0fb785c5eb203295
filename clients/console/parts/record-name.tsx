// The name of an item of a run, which leads to its record where there is one.
import { useResource } from '../resource.ts';
import { here } from '../router.ts';
import type { Session } from '../session.ts';

interface Props {
  session: Session;
  id: string;
  /** Shown for an item that is no record. */
  otherwise: string;
}

export function RecordName({ session, id, otherwise }: Props) {
  const { loaded } = useResource(id, (signal) => session.client.entities.resolve({ id }, { signal }));
  const [result] = loaded.value.state === 'ready' ? loaded.value.value : [];
  if (!result?.resolved) return <>{otherwise}</>;
  return <a href={here({ record: `entity=${id}` })}>{result.entity_name}</a>;
}
