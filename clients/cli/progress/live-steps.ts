// Progress on a terminal: finished steps stay as lines; running and pending steps are redrawn below them.

import { waitingText } from '../../waiting-text.ts';
import { timeText } from '../output/amounts.ts';
import { type Paint, shortened, sizeOf, widthOf } from '../output/terminal.ts';
import type { Output } from '../surroundings.ts';
import { finishedRow, pendingRow, runningRow } from './step-line.ts';
import { type Drawing, finishedSteps, isFinished, type Progress } from './view.ts';

const REDRAW_MS = 200;
const MAX_PENDING = 5;

/** Lines at the bottom of the screen that the next drawing replaces. */
function redrawnLines(output: Output): (keep: readonly string[], redraw: readonly string[]) => void {
  let drawn: number[] = [];
  return (keep, redraw) => {
    // A terminal that became narrower has wrapped the drawn lines.
    const columns = sizeOf(output).columns + 1;
    const rows = drawn.reduce((sum, width) => sum + Math.max(Math.ceil(width / columns), 1), 0);
    const back = rows === 0 ? '' : `\r\u001b[${rows}A\u001b[0J`;
    output.write(back + [...keep, ...redraw].map((line) => `${line}\n`).join(''));
    drawn = redraw.map(widthOf);
  };
}

/** Draws on a terminal until `end`; redraws periodically, so that times advance. */
export function liveDrawing(output: Output, paint: Paint, now: () => number = Date.now): Drawing {
  const replace = redrawnLines(output);
  const newlyFinished = finishedSteps();
  let progress: Progress | undefined;
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();

  function draw(): void {
    const { columns, rows } = sizeOf(output);
    const finished = newlyFinished(progress?.steps ?? []).map((step) => finishedRow(step, columns, paint));
    replace(finished, progress ? unfinished(progress, columns, rows, now(), paint) : []);
  }

  return {
    show(changed) {
      progress = changed;
      draw();
    },
    end() {
      clearInterval(timer);
      replace([], []);
    },
  };
}

/** The running and next steps, in less than a screen. */
function unfinished(
  { status, steps, waiting }: Progress,
  columns: number,
  rows: number,
  nowMs: number,
  paint: Paint,
): string[] {
  const running = steps.filter((step) => step.status === 'running');
  const pending = steps.filter((step) => step.status !== 'running' && !isFinished(step));
  const next = pending.slice(0, Math.max(Math.min(MAX_PENDING, rows - running.length - 3), 0));
  const more = pending.length - next.length;
  return [
    ...(status === 'paused' ? [paint('yellow', shortened(waitingText(waiting, timeText), columns))] : []),
    ...running.map((step) => runningRow(step, columns, nowMs, paint)),
    ...next.map((step) => pendingRow(step, columns, paint)),
    ...(more > 0 ? [paint('dim', `  and ${more} more`)] : []),
  ];
}
