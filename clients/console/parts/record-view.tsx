// What is known of a record: its fields, and its relationships.
import type { Entity } from '../../sdk/index.ts';
import { labelOf } from '../view-models/figures.ts';
import { Relations } from './relations.tsx';
import { Ago } from './time.tsx';
import { Value } from './value.tsx';

export function RecordView({ record }: { record: Entity }) {
  const { name, fields, relationships, updated_at, external_uri, external_id, source } = record;
  const values = Object.entries({ ...fields, external_uri, external_id, source });
  return (
    <>
      <dl class="facts">
        {values.flatMap(([field, value]) =>
          value === undefined
            ? []
            : [
                <dt key={field} title={field}>
                  {labelOf(field)}
                </dt>,
                <dd key={`${field} value`}>
                  <Value name={field} value={value} />
                </dd>,
              ],
        )}
        <dt>Updated</dt>
        <dd>
          <Ago at={updated_at} />
        </dd>
        <dt>Id</dt>
        <dd>
          <code>{record.id}</code>
        </dd>
      </dl>
      {relationships.length > 0 && (
        <>
          <h2>Relationships</h2>
          <Relations of={name} relations={relationships.map((one) => ({ ...one, note: one.entity_type }))} />
        </>
      )}
    </>
  );
}
