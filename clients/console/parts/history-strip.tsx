// The history of a monitor as squares, oldest first. The one under the pointer or with the focus is put in words.
import { useSignal } from '@preact/signals';
import type { Fire } from '../../sdk/index.ts';
import { link } from '../router.ts';
import { timeText } from '../view-models/figures.ts';
import { squareOf, squareText } from '../view-models/monitor-text.ts';

export function HistoryStrip({ fires }: { fires: readonly Fire[] }) {
  const looked = useSignal('');
  return (
    <div class="history">
      <ol aria-label="Due times, oldest first">
        {fires.toReversed().map((fire) => (
          <li key={fire.id}>
            <Square fire={fire} onLook={(text) => (looked.value = text)} />
          </li>
        ))}
      </ol>
      <p class="quiet" aria-hidden="true">
        {looked.value || 'Point to a square to see what happened.'}
      </p>
    </div>
  );
}

function Square({ fire, onLook }: { fire: Fire; onLook: (text: string) => void }) {
  const text = squareText(fire, timeText(fire.due_at));
  const wired = {
    class: `square is-${squareOf(fire)}`,
    'aria-label': text,
    onFocus: () => onLook(text),
    onPointerEnter: () => onLook(text),
  };
  return fire.run_id === undefined ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: its words appear with the focus
    <span {...wired} role="img" tabIndex={0} />
  ) : (
    <a {...wired} href={link(`runs/${fire.run_id}`)} />
  );
}
