// A file before it is imported: being read, its first rows with the kinds of their columns, or what is wrong with it.
import { FileProblem } from '../../record-file/file-problem.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Sheet } from '../parts/sheet.tsx';
import type { Loaded } from '../resource.ts';
import { counted } from '../view-models/figures.ts';
import { PREVIEW_ROWS, previewOf } from '../view-models/import-view.ts';
import type { ReadFile } from './opened-file.ts';

export function ImportPreview({ name, loaded }: { name: string; loaded: Loaded<ReadFile> }) {
  if (loaded.state === 'loading')
    return (
      <div>
        <p role="status">Reading {name}…</p>
        <progress aria-label={`Reading ${name}`} />
      </div>
    );
  if (loaded.state === 'failed') return <FileTrouble error={loaded.error} />;
  const { file, first } = loaded.value;
  const { columns, rows } = previewOf(file, first);
  return (
    <div>
      <p role="status">
        {counted(file.rows, 'row')} of {file.format.toUpperCase()}
        {file.encoding !== 'utf-8' && ` in ${file.encoding}`}
        {file.rows > PREVIEW_ROWS && <span class="quiet">; these are the first {PREVIEW_ROWS}</span>}
      </p>
      {rows.length > 0 && <Sheet title="First rows of the file" columns={columns} rows={rows} />}
    </div>
  );
}

function FileTrouble({ error }: { error: unknown }) {
  if (!(error instanceof FileProblem)) return <ErrorNote error={error} />;
  return (
    <div class="note bad" role="alert">
      <p>
        <strong>The file cannot be imported.</strong> {sentence(error.message)}
      </p>
      {error.columns.length > 0 && <p>Choose the column with the name above.</p>}
    </div>
  );
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
