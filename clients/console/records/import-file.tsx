// Where a file of records is dropped or chosen. What reads it is loaded when there is one.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { EntityType } from '../../sdk/index.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Show } from '../parts/show.tsx';
import { type Resource, useResource } from '../resource.ts';
import { allows, type Session } from '../session.ts';

interface Props {
  session: Session;
  types: Resource<readonly EntityType[]>;
  /** Rows of a file are in. */
  onImported: () => void;
}

export function ImportFile({ session, types, onImported }: Props) {
  const opened = useSignal<Opened | undefined>(undefined);
  const openings = useRef(0);
  const areSeveral = useSignal(false);
  const choose = (files: FileList | null) => {
    const [file, ...others] = Array.from(files ?? []);
    areSeveral.value = others.length > 0;
    if (file && others.length === 0) opened.value = { file, opening: openings.current++ };
  };
  const isOver = useDrop((files) => {
    // The rows of the file that is open are perhaps on their way.
    if (!opened.peek()) choose(files);
  });
  const close = (opening: number) => {
    // The event of a dialog that closed may come after another one has opened.
    if (opened.peek()?.opening === opening) opened.value = undefined;
  };
  if (!allows(session, 'records:write'))
    return (
      <p class="quiet">
        Records of a file are imported with a key that has the scope <code>records:write</code>.
      </p>
    );
  const { loaded } = types;
  const known = loaded.value.state === 'ready' ? loaded.value.value.map(({ type }) => type) : [];
  return (
    <>
      <div class={`row drop-zone ${isOver.value ? 'is-over' : ''}`}>
        <label class="button">
          Import a file
          <input
            class="unseen"
            type="file"
            accept=".csv,.tsv,.tab,.txt,.json,.ndjson,.jsonl"
            onChange={({ currentTarget }) => {
              choose(currentTarget.files);
              // The same file may be chosen again.
              currentTarget.value = '';
            }}
          />
        </label>
        <span class="quiet" role="status">
          {areSeveral.value
            ? 'These are several files. Drop one at a time.'
            : 'CSV, TSV, JSON or NDJSON: choose it, or drop it on this page.'}
        </span>
      </div>
      {opened.value && (
        <ImportDialog
          key={opened.value.opening}
          {...{ session, known, onImported, ...opened.value }}
          onClose={close}
        />
      )}
    </>
  );
}

interface Opened {
  file: File;
  /** Of this opening: the same file may be opened again. */
  opening: number;
}

interface DialogProps extends Omit<Props, 'types'>, Opened {
  known: readonly string[];
  onClose: (opening: number) => void;
}

function ImportDialog({ file, opening, onClose, ...props }: DialogProps) {
  const close = () => onClose(opening);
  const steps = useResource('import', async () => (await import('./import-steps.tsx')).ImportSteps);
  return (
    <Dialog title={`Import ${file.name}`} isWide onClose={close}>
      <Show resource={steps}>{(Steps) => <Steps file={file} onClose={close} {...props} />}</Show>
    </Dialog>
  );
}

/** Takes files that are dropped on the page, and says whether some are over it. */
function useDrop(take: (files: FileList) => void) {
  const isOver = useSignal(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Else the browser shows the file in place of the page.
      event.preventDefault();
      isOver.value = true;
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) isOver.value = false;
    };
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      isOver.value = false;
      latest.current(event.dataTransfer.files);
    };
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('drop', drop, { signal });
    return () => listening.abort();
  }, []);
  return isOver;
}
