// The content of an artifact, rendered by its kind.
import type { Artifact } from '../../sdk/index.ts';
import { Json } from '../parts/json.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { Table } from '../parts/table.tsx';
import { Card } from './card.tsx';

export function ArtifactBody({ artifact }: { artifact: Artifact }) {
  switch (artifact.kind) {
    case 'table':
      return <Table title={artifact.title} columns={artifact.columns} rows={artifact.rows} />;
    case 'text':
      return <Markdown text={artifact.content} below={1} />;
    case 'entity_card':
      return <Card content={artifact.content} />;
    default:
      return <Json value={artifact} />;
  }
}
