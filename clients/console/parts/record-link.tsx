// A link to a record: opens its drawer through the address.
import type { RecordLink } from '../../sdk/index.ts';
import { link as addressOf, here } from '../router.ts';

export function RecordLinkTo({ link: { kind, id, label } }: { link: RecordLink }) {
  const address =
    kind === 'artifact'
      ? addressOf(`artifacts/${encodeURIComponent(id)}`)
      : here({ record: `${kind}=${id}` });
  return <a href={address}>{label}</a>;
}
