// Progress without redrawing: one line per finished step, and an occasional one for the running step.
import type { Output } from '../context.ts';
import { plainLines } from '../output/plain.ts';
import { finishedLine, progressLine } from './step-text.ts';
import { type Drawing, finishedSteps, type RunView, type StepView } from './view.ts';

const PROGRESS_EVERY_MS = 10_000;

/** Writes lines; a progress line is never repeated. */
export function lineDrawing(output: Output, now: () => number = Date.now): Drawing {
  const newlyFinished = finishedSteps();
  let paused = false;
  let progressAt = now();
  let progress = '';
  const say = (line: string) => output.write(plainLines([line]));

  function tellProgress(step: StepView, total: number): void {
    const line = progressLine(step, total);
    if (now() - progressAt < PROGRESS_EVERY_MS || line === progress) return;
    progressAt = now();
    progress = line;
    say(line);
  }

  function show({ status, steps }: RunView): void {
    for (const step of newlyFinished(steps)) say(finishedLine(step, steps.length));
    if (paused !== (status === 'paused')) {
      paused = status === 'paused';
      say(paused ? 'paused for maintenance, resumes automatically' : 'continues');
    }
    const inHand = steps.find((step) => step.status === 'running');
    if (inHand) tellProgress(inHand, steps.length);
  }

  return { show, say, end() {} };
}
