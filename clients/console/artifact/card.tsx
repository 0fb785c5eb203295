// The card of a record: its attributes, relationships and recent activity.
import type { Artifact } from '../../sdk/index.ts';
import { Fact } from '../parts/fact.tsx';
import { InlineMarkdown, Markdown } from '../parts/markdown.tsx';
import { RecordLinkTo } from '../parts/record-link.tsx';
import { Relations } from '../parts/relations.tsx';
import { Ago } from '../parts/time.tsx';
import { Value } from '../parts/value.tsx';

type CardContent = Extract<Artifact, { kind: 'entity_card' }>['content'];

export function Card({ content }: { content: CardContent }) {
  const { entity, summary, attributes, relationships, recent_activity, as_of } = content;
  return (
    <>
      <p>
        <RecordLinkTo link={{ kind: 'entity', id: entity.id, label: entity.name }} />{' '}
        <span class="quiet">
          {entity.type} · as of <Ago at={as_of} />
        </span>
      </p>
      <Markdown text={summary} below={1} />
      {attributes.length > 0 && (
        <dl class="facts">
          {attributes.map(({ key, label, value }) => (
            <Fact key={key} name={label} title={key}>
              <Value name={key} value={value} />
            </Fact>
          ))}
        </dl>
      )}
      {relationships.length > 0 && (
        <>
          <h2>Relationships</h2>
          <Relations
            of={entity.name}
            relations={relationships.map(({ type, relationship_type, role, ...one }) => ({
              ...one,
              type: relationship_type,
              note: [type, role].filter((word) => word !== null).join(', '),
            }))}
          />
        </>
      )}
      {recent_activity.length > 0 && (
        <>
          <h2>Recent activity</h2>
          <ul class="entries">
            {recent_activity.map(({ at, text }) => (
              <li>
                <span class="quiet">
                  <Ago at={at} />
                </span>{' '}
                <InlineMarkdown text={text} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
