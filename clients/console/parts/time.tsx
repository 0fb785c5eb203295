// A moment: how long ago, with the full time as its tooltip.
import { now } from '../now.ts';
import { agoText, timeText } from '../view-models/figures.ts';

export function Ago({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={timeText(at)}>
      {agoText(at, now.value)}
    </time>
  );
}
