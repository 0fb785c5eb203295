// The name of a referenced record, as the service resolves it.
import type { EntityRef } from '../../sdk/index.ts';
import { useResource } from '../resource.ts';
import type { Session } from '../session.ts';

export function EntityName({ session, entity }: { session: Session; entity: EntityRef }) {
  const text = JSON.stringify(entity);
  const resolved = useResource(text, (signal) => session.client.entities.resolve(entity, { signal }));
  const { loaded } = resolved;
  const [result] = loaded.value.state === 'ready' ? loaded.value.value : [];
  if (!result?.resolved) return <code>{text}</code>;
  return (
    <>
      <strong>{result.entity_name}</strong> <span class="quiet">{result.entity_type}</span>
    </>
  );
}
