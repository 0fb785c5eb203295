// An import on its way, and how it ended: what became of the rows, and why some were left out.
import { useEffect, useRef } from 'preact/hooks';
import type { ImportOutcome } from '../../record-file/import-records.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { link } from '../router.ts';
import { counted } from '../view-models/figures.ts';
import { outcomeText } from '../view-models/import-view.ts';
import type { ImportOrder, Sending } from './use-import.ts';

interface Props {
  sending: Sending;
  order: ImportOrder;
  onStop: () => void;
  onAgain: () => void;
  onClose: () => void;
}

export function ImportProgress({ sending, order, onStop, onAgain, onClose }: Props) {
  const focused = useFocus(sending.state);
  if (sending.state === 'not begun' || sending.state === 'sending') {
    const done = sending.state === 'sending' ? (sending.outcome?.done ?? 0) : 0;
    const { rows } = order.file;
    return (
      <div class="import">
        <p>
          {done.toLocaleString('en')} of {counted(rows, 'row')}
        </p>
        <progress aria-label="Rows imported" value={done} max={rows} />
        <div class="row">
          <button key="stop" ref={focused} type="button" onClick={onStop}>
            Stop
          </button>
        </div>
      </div>
    );
  }
  const { outcome } = sending;
  return (
    <div class="import">
      {sending.state === 'broken' && <Broken outcome={outcome} error={sending.error} />}
      <p role="status">
        {sending.state === 'done' ? 'The file is imported: ' : 'So far: '}
        {outcomeText(outcome, order.updates)}.
      </p>
      <LeftOut outcome={outcome} />
      <div class="row">
        {sending.state === 'broken' && (
          <button key="again" ref={focused} class="primary" type="button" onClick={onAgain}>
            Import again
          </button>
        )}
        {sending.state === 'done' && (
          <a
            key="show"
            ref={focused}
            class="button primary"
            href={link('records', { type: order.type })}
            onClick={onClose}
          >
            Show the records
          </a>
        )}
      </div>
    </div>
  );
}

/** Puts the focus on the button of a state: the one that was used is gone. */
function useFocus(state: string) {
  const focused = useRef<HTMLButtonElement & HTMLAnchorElement>(null);
  useEffect(() => focused.current?.focus(), [state]);
  return focused;
}

function Broken({ outcome, error }: { outcome: ImportOutcome; error: unknown }) {
  const { done, rows, last_line } = outcome;
  const upTo = last_line > 0 ? `, up to line ${last_line.toLocaleString('en')}` : '';
  return (
    <>
      {error !== undefined && <ErrorNote error={error} />}
      <p>
        {error === undefined ? 'The import was stopped.' : 'The import ended early.'}{' '}
        {done.toLocaleString('en')} of {counted(rows, 'row')} are in for certain{upTo}. Importing the file
        again completes it: what is in is not there twice.
      </p>
    </>
  );
}

function LeftOut({ outcome }: { outcome: ImportOutcome }) {
  const { refused, refused_count } = outcome;
  if (refused_count === 0) return null;
  const more = refused_count - refused.length;
  return (
    <section aria-labelledby="left-out">
      <h3 id="left-out">Rows that were refused</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
      <ul class="left-out" tabIndex={0}>
        {refused.map(({ line, path, message }) => (
          <li key={`${line} ${path}`}>
            Line {line}: {path !== '' && <code>{path}</code>} {message}
          </li>
        ))}
      </ul>
      {more > 0 && <p>And {counted(more, 'more row')}.</p>}
    </section>
  );
}
