// What is known of a record: its fields, and its relationships.
import type { Entity } from '../../sdk/index.ts';
import { labelOf } from '../view-models/figures.ts';
import { Fact } from './fact.tsx';
import { Relations } from './relations.tsx';
import { Ago } from './time.tsx';
import { Value } from './value.tsx';

export function RecordView({ record }: { record: Entity }) {
  const { name, fields, relationships, updated_at, external_uri, external_id, source } = record;
  const values = Object.entries({ ...fields, external_uri, external_id, source });
  return (
    <>
      <dl class="facts">
        {values.map(
          ([field, value]) =>
            value !== undefined && (
              <Fact key={field} name={labelOf(field)} title={field}>
                <Value name={field} value={value} isPlain />
              </Fact>
            ),
        )}
        <Fact name="Updated">
          <Ago at={updated_at} />
        </Fact>
        <Fact name="Id">
          <code>{record.id}</code>
        </Fact>
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
