// A link to a record: opens its drawer through the address, or leads from the page of one record to the next.
import type { RecordLink } from '../../sdk/index.ts';
import { link as addressOf, here, route } from '../router.ts';

export function RecordLinkTo({ link: { kind, id, label } }: { link: RecordLink }) {
  const isPage = kind === 'artifact' || (kind === 'entity' && route.value.page === 'record');
  const address = isPage
    ? addressOf(`${kind === 'artifact' ? 'artifacts' : 'records'}/${encodeURIComponent(id)}`)
    : here({ record: `${kind}=${id}` });
  return <a href={address}>{label}</a>;
}
