// The card of a record: its attributes, relationships and recent activity.
import type { Artifact } from '../../sdk/index.ts';
import { InlineMarkdown, Markdown } from '../parts/markdown.tsx';
import { RecordLinkTo } from '../parts/record-link.tsx';
import { Ago } from '../parts/time.tsx';

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
        <dl class="run-facts">
          {attributes.map(({ key, label, value }) => (
            <div key={key}>
              <dt>{label}</dt>
              <dd>{typeof value === 'string' ? <InlineMarkdown text={value} /> : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {relationships.length > 0 && (
        <>
          <h2>Relationships</h2>
          <ul>
            {relationships.map(({ entity_id, name, type, relationship_type, role }) => (
              <li>
                {relationship_type.replaceAll('_', ' ')}{' '}
                <RecordLinkTo link={{ kind: 'entity', id: entity_id, label: name }} />{' '}
                <span class="quiet">{[type, role].filter((one) => one !== null).join(', ')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {recent_activity.length > 0 && (
        <>
          <h2>Recent activity</h2>
          <ul>
            {recent_activity.map(({ at, text }) => (
              <li>
                <Ago at={at} /> <InlineMarkdown text={text} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
