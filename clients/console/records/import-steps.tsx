// The import of a file: it is read, choices are made over its first rows, and its rows are sent (rules.md: console 18).
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { FileProblem } from '../../record-file/file-problem.ts';
import type { RecordFile } from '../../record-file/record-file.ts';
import { type Resource, useResource } from '../resource.ts';
import type { Session } from '../session.ts';
import { counted } from '../view-models/figures.ts';
import { type ImportChoices, suggestedType } from '../view-models/import-view.ts';
import { ImportFields } from './import-fields.tsx';
import { ImportPreview } from './import-preview.tsx';
import { ImportProgress } from './import-progress.tsx';
import { type ReadFile, readFile } from './opened-file.ts';
import { type ImportOrder, useImport } from './use-import.ts';

interface Props {
  session: Session;
  file: File;
  /** The types that the workspace has. */
  known: readonly string[];
  onImported: () => void;
  onClose: () => void;
}

export function ImportSteps({ session, file, known, onImported, onClose }: Props) {
  const choices = useSignal<ImportChoices>({
    ...{ name_field: undefined, id_field: undefined, updates: false },
    type: suggestedType(file.name, known),
  });
  const { name_field, id_field } = choices.value;
  const read = useResource(JSON.stringify([name_field, id_field]), (signal) =>
    readFile(file, choices.peek(), signal),
  );
  const columns = useColumns(read);
  const order = useSignal<ImportOrder | undefined>(undefined);
  const { sending, start, stop } = useImport(session, onImported);
  const begin = (wanted: ImportOrder) => {
    order.value = wanted;
    void start(wanted);
  };
  const loaded = read.loaded.value;
  const ready = loaded.state === 'ready' ? loaded.value.file : undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { type, updates } = choices.peek();
    if (ready) begin({ file: ready, type: columns.length > 0 ? type.trim() : undefined, updates });
  };
  if (order.value)
    return (
      <ImportProgress
        sending={sending.value}
        order={order.value}
        onStop={stop}
        onAgain={() => order.value && begin(order.value)}
        onClose={onClose}
      />
    );
  return (
    <form class="import" onSubmit={submit}>
      {(ready || columns.length > 0) && (
        <ImportFields
          columns={columns}
          found={name_field ? undefined : nameOf(ready)}
          known={known}
          choices={choices}
        />
      )}
      <ImportPreview name={file.name} loaded={loaded} />
      {ready && ready.rows > 0 && (
        <div class="row">
          <button class="primary" type="submit">
            Import {counted(ready.rows, 'row')}
          </button>
        </div>
      )}
    </form>
  );
}

const nameOf = (file: RecordFile | undefined) => file?.columns.find(({ role }) => role === 'name')?.name;

/** The names of the columns, also while the file is read again for another choice, and after one that does not fit. */
function useColumns(read: Resource<ReadFile>): readonly string[] {
  const last = useRef<readonly string[]>([]);
  const loaded = read.loaded.value;
  if (loaded.state === 'ready') last.current = loaded.value.file.columns.map(({ name }) => name);
  if (loaded.state === 'failed' && loaded.error instanceof FileProblem && loaded.error.columns.length > 0)
    last.current = loaded.error.columns;
  return last.current;
}
