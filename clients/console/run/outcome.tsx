// A run's result: its message, data, warnings, main artifact, other artifacts and notes.
import type { RunState } from '../../sdk/index.ts';
import { Markdown } from '../parts/markdown.tsx';
import { here, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { otherWarnings } from '../view-models/failed-items.ts';
import { counted, kindText } from '../view-models/figures.ts';
import { inFlight } from '../view-models/run-rows.ts';
import { MainArtifact } from './main-artifact.tsx';
import { Output } from './output.tsx';
import { Shortfalls, Warnings } from './problems.tsx';

export function Outcome({ session, run }: { session: Session; run: RunState }) {
  const { message, output, artifacts, note_ids } = run;
  return (
    <>
      {message !== null && (
        <section aria-labelledby="answer">
          <h2 id="answer">Answer</h2>
          <Markdown text={message} />
        </section>
      )}
      {output && <Output session={session} output={output} />}
      <Shortfalls session={session} run={run} />
      <Warnings warnings={otherWarnings(run)} />
      {!inFlight(run) && allows(session, 'artifacts:read') && <MainArtifact session={session} run={run} />}
      {artifacts.length > 0 && (
        <section aria-labelledby="artifacts">
          <h2 id="artifacts">Artifacts</h2>
          <ul class="entries">
            {artifacts.map(({ id, kind, title, row_count }) => (
              <li key={id}>
                <span class="kind">{kindText(kind)}</span> <a href={link(`artifacts/${id}`)}>{title}</a>{' '}
                {row_count !== undefined && <span class="quiet">{counted(row_count, 'row')}</span>}
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
                <a href={here({ record: `note=${id}` })}>
                  {note_ids.length === 1 ? 'The note of this run' : `Note ${i + 1} of ${note_ids.length}`}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
