// Saves an artifact as a file, or copies it.
import { type Artifact, toCsv } from '../../sdk/index.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { fileName } from '../view-models/file-name.ts';

interface File {
  text: string;
  mediaType: string;
  ending: string;
}

/** Tables as CSV without spreadsheet formulas, texts as Markdown, the rest as JSON. */
function fileOf(artifact: Artifact): File {
  if (artifact.kind === 'table')
    return {
      text: toCsv(artifact.columns, artifact.rows, { safe: true }),
      mediaType: 'text/csv',
      ending: 'csv',
    };
  if (artifact.kind === 'text') return { text: artifact.content, mediaType: 'text/markdown', ending: 'md' };
  return { text: JSON.stringify(artifact, undefined, 2), mediaType: 'application/json', ending: 'json' };
}

function save(artifact: Artifact): void {
  const { text, mediaType, ending } = fileOf(artifact);
  const href = URL.createObjectURL(new Blob([text], { type: `${mediaType};charset=utf-8` }));
  Object.assign(document.createElement('a'), {
    href,
    download: fileName(artifact.title, artifact.kind, ending),
  }).click();
  URL.revokeObjectURL(href);
}

const names: Readonly<Record<string, string>> = { table: 'CSV', text: 'Markdown' };

export function SaveActions({ artifact }: { artifact: Artifact }) {
  const name = names[artifact.kind] ?? 'JSON';
  return (
    <>
      <button type="button" onClick={() => save(artifact)}>
        Download {name}
      </button>
      <CopyButton text={() => fileOf(artifact).text}>Copy {name}</CopyButton>
    </>
  );
}
