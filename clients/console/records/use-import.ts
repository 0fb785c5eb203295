// Sends the rows of a file: how far it is, what became of them, and how it goes on after it broke.
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { ImportBroken, type ImportOutcome, importRecords } from '../../record-file/import-records.ts';
import type { RecordFile } from '../../record-file/record-file.ts';
import type { EntityLine } from '../../sdk/index.ts';
import type { Session } from '../session.ts';

export type Sending =
  | { state: 'not begun' }
  | { state: 'sending'; outcome: ImportOutcome | undefined }
  | { state: 'done'; outcome: ImportOutcome }
  /** What `outcome` counts is in; the same import again completes it. Without an error the user stopped it. */
  | { state: 'broken'; outcome: ImportOutcome; error: unknown };

export interface ImportOrder {
  file: RecordFile;
  /** Of every row; undefined where the rows have types themselves. */
  type: string | undefined;
  updates: boolean;
}

interface Import {
  readonly sending: ReadonlySignal<Sending>;
  /** Imports the file, from its first row. Never throws. */
  start(order: ImportOrder): Promise<void>;
  stop(): void;
}

/** The import of one file; it ends with the component. */
export function useImport({ client }: Session, onImported: () => void): Import {
  const sending = useSignal<Sending>({ state: 'not begun' });
  const running = useRef<AbortController>(undefined);
  const stop = useCallback(() => running.current?.abort(), []);
  const start = useCallback(async ({ file, type, updates }: ImportOrder) => {
    const mine = new AbortController();
    running.current = mine;
    const { signal } = mine;
    sending.value = { state: 'sending', outcome: undefined };
    try {
      const outcome = await importRecords(
        file,
        (records) => {
          const typed = type === undefined ? records : records.map((record) => ({ ...record, type }));
          // The service checks each line.
          return client.entities.import(typed as EntityLine[], { update: updates, signal });
        },
        (so_far) => {
          sending.value = { state: 'sending', outcome: { ...so_far } };
        },
      );
      sending.value = { state: 'done', outcome };
      onImported();
    } catch (error) {
      if (!(error instanceof ImportBroken)) throw error;
      const { outcome, cause } = error;
      sending.value = { state: 'broken', outcome, error: signal.aborted ? undefined : cause };
      if (outcome.done > 0) onImported();
    }
  }, []);
  useEffect(() => stop, []);
  return { sending, start, stop };
}
