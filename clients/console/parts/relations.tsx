// The relationships of a record as sentences, so that each keeps its direction.
import { RecordLinkTo } from './record-link.tsx';

interface Relation {
  /** `out`: from the record to the other one. */
  direction: 'out' | 'in';
  type: string;
  entity_id: string;
  name: string;
  /** What else is known of the other record. */
  note: string;
}

export function Relations({ of, relations }: { of: string; relations: readonly Relation[] }) {
  return (
    <ul class="entries">
      {relations.map(({ direction, type, entity_id, name, note }) => {
        const other = <RecordLinkTo link={{ kind: 'entity', id: entity_id, label: name }} />;
        const verb = type.replaceAll('_', ' ');
        return (
          <li>
            {direction === 'in' ? (
              <>
                {other} {verb} {of}
              </>
            ) : (
              <>
                {of} {verb} {other}
              </>
            )}{' '}
            <span class="quiet">{note}</span>
          </li>
        );
      })}
    </ul>
  );
}
