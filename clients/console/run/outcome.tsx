// A run's result: its message, artifacts and notes.
import type { RunState } from '../../sdk/index.ts';
import { Markdown } from '../parts/markdown.tsx';
import { here, link } from '../router.ts';
import { counted } from '../view-models/figures.ts';

export function Outcome({ run: { message, artifacts, note_ids } }: { run: RunState }) {
  return (
    <>
      {message !== null && (
        <section aria-labelledby="answer">
          <h2 id="answer">Answer</h2>
          <Markdown text={message} />
        </section>
      )}
      {artifacts.length > 0 && (
        <section aria-labelledby="artifacts">
          <h2 id="artifacts">Artifacts</h2>
          <ul class="entries">
            {artifacts.map(({ id, kind, title, row_count }) => (
              <li key={id}>
                <a href={link(`artifacts/${id}`)}>{title}</a>{' '}
                <span class="quiet">
                  {kind.replaceAll('_', ' ')}
                  {row_count !== undefined && `, ${counted(row_count, 'row')}`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {note_ids.length > 0 && (
        <section aria-labelledby="notes">
          <h2 id="notes">Notes</h2>
          <ul class="entries">
            {note_ids.map((id, i) => (
              <li key={id}>
                <a href={here({ record: `note=${id}` })}>Note {i + 1}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
