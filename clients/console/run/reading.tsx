// How a query was read: in words, and the words that no step uses.
import type { Warning } from '../../sdk/index.ts';
import { isNotUnderstood } from '../view-models/run-text.ts';

interface Props {
  warnings: readonly Warning[];
  /** What the service understood; undefined until it has planned the run. */
  understoodAs: string | undefined;
}

export function Reading({ warnings, understoodAs }: Props) {
  const missed = warnings.filter(isNotUnderstood);
  if (understoodAs === undefined && missed.length === 0) return null;
  return (
    <section class="reading" aria-label="How the question was read">
      {understoodAs !== undefined && (
        <p>
          <span class="quiet">Understood as:</span> {understoodAs}
        </p>
      )}
      {missed.map((warning) => (
        <p class="note warn">
          <Missed warning={warning} />
        </p>
      ))}
    </section>
  );
}

function Missed({ warning: { details, message } }: { warning: Warning }) {
  const words = details?.words;
  if (!Array.isArray(words)) return <>{message}</>;
  return (
    <>
      <strong>Not understood:</strong> {words.map(String).join(', ')}. The answer takes no account of{' '}
      {words.length === 1 ? 'this word' : 'these words'}.
    </>
  );
}
