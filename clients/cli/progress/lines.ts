// Progress without redrawing: one line per finished step, and an occasional one for the running step.
import type { StepState } from '../../sdk/index.ts';
import { waitingText } from '../../waiting-text.ts';
import { timeText } from '../output/amounts.ts';
import { plainLines } from '../output/plain.ts';
import type { Output } from '../surroundings.ts';
import { finishedLine, progressLine } from './step-line.ts';
import { type Drawing, finishedSteps, type Progress } from './view.ts';

const PROGRESS_EVERY_MS = 10_000;

/** Writes lines; a progress line is never repeated. */
export function lineDrawing(output: Output, now: () => number = Date.now): Drawing {
  const newlyFinished = finishedSteps();
  let paused = false;
  let progressAt = now();
  let progress = '';
  const say = (line: string) => output.write(plainLines([line]));

  function sayProgress(step: StepState, total: number): void {
    const line = progressLine(step, total);
    if (now() - progressAt < PROGRESS_EVERY_MS || line === progress) return;
    progressAt = now();
    progress = line;
    say(line);
  }

  function show({ status, steps, waiting }: Progress): void {
    for (const step of newlyFinished(steps)) say(finishedLine(step, steps.length));
    if (paused !== (status === 'paused')) {
      paused = status === 'paused';
      say(paused ? waitingText(waiting, timeText) : 'continues');
    }
    const running = steps.find((step) => step.status === 'running');
    if (running) sayProgress(running, steps.length);
  }

  return { show, end() {} };
}
