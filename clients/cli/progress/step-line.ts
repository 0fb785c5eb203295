// One step of a run as a line: finished, or running with a bar.
import { durationText } from '../../duration-text.ts';
import type { StepState } from '../../sdk/index.ts';
import { counted } from '../output/amounts.ts';
import { plainLine } from '../output/plain.ts';
import { fitted, type Paint, shortened, widthOf } from '../output/terminal.ts';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const MIN_TITLE = 8;

const marks: Record<StepState['status'], { sign: string; style: Parameters<Paint>[0] }> = {
  pending: { sign: '·', style: 'dim' },
  running: { sign: '›', style: 'cyan' },
  completed: { sign: '✓', style: 'green' },
  failed: { sign: '✗', style: 'red' },
  skipped: { sign: '↷', style: 'dim' },
  canceled: { sign: '–', style: 'yellow' },
};

/** The facts of a finished step, after its title. */
function outcomeOf({ status, items_out, duration_ms, error }: StepState): string[] {
  return [
    ...(status === 'completed' ? [] : [status === 'skipped' ? 'reused' : status]),
    ...(items_out === undefined ? [] : [counted(items_out, 'item')]),
    ...(duration_ms === undefined ? [] : [durationText(duration_ms)]),
    ...(error ? [plainLine(error.message)] : []),
  ];
}

/** A finished step in a log: `step 2 of 3 completed: In Berlin, 4 items, 0.1 s`. */
export function finishedLine(step: StepState, total: number): string {
  const { index, title, status } = step;
  const facts = outcomeOf({ ...step, status: 'completed' });
  return `step ${index + 1} of ${total} ${status}: ${[plainLine(title), ...facts].join(', ')}`;
}

/** The progress of the running step, in a log. */
export function progressLine({ index, title, progress, retries }: StepState, total: number): string {
  const retry = retries?.at(-1);
  const facts = [
    ...(progress ? [`${progress.items_done} of ${counted(progress.items_total, 'item')}`] : []),
    ...(retry ? [`attempt ${retry.attempt} of ${retry.max_attempts}`] : []),
  ];
  return `step ${index + 1} of ${total} running: ${[plainLine(title), ...facts].join(', ')}`;
}

/** A finished step on a terminal, in at most `columns`. */
export function finishedRow(step: StepState, columns: number, paint: Paint): string {
  const { sign, style } = marks[step.status];
  return row({ sign: paint(style, sign), step, right: outcomeOf(step).join('  '), columns, paint });
}

/** A pending step. */
export function pendingRow(step: StepState, columns: number, paint: Paint): string {
  return paint('dim', shortened(`${marks.pending.sign} ${step.index + 1} ${plainLine(step.title)}`, columns));
}

/** The running step: a bar when it counts items, and its elapsed time. */
export function runningRow(step: StepState, columns: number, nowMs: number, paint: Paint): string {
  const frame = SPINNER[Math.floor(nowMs / FRAME_MS) % SPINNER.length] ?? '';
  const { progress, retries, started_at } = step;
  const retry = retries?.at(-1);
  const right = [
    ...(progress
      ? [`${bar(progress, columns < 60 ? 8 : 20)} ${progress.items_done}/${progress.items_total}`]
      : []),
    ...(retry ? [`attempt ${retry.attempt}/${retry.max_attempts}`] : []),
    ...(started_at === undefined ? [] : [durationText(Math.max(nowMs - started_at, 0))]),
  ].join('  ');
  return row({ sign: paint('cyan', frame), step, right, columns, paint });
}

function bar({ items_done, items_total }: NonNullable<StepState['progress']>, width: number): string {
  const full = items_total <= 0 ? width : Math.min(Math.round((items_done / items_total) * width), width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

interface Row {
  sign: string;
  step: StepState;
  right: string;
  columns: number;
  paint: Paint;
}

/** Sign, number, title, facts. The title shrinks first, down to MIN_TITLE columns; then the facts are cut. */
function row({ sign, step, right, columns, paint }: Row): string {
  const number = String(step.index + 1);
  const free = columns - 1 - 1 - number.length - 1;
  const title = plainLine(step.title);
  const titleWidth = Math.max(Math.min(widthOf(title), free - widthOf(right) - 2), Math.min(MIN_TITLE, free));
  const facts = shortened(right, free - titleWidth - 2);
  return `${sign} ${number} ${fitted(title, titleWidth)}${facts === '' ? '' : `  ${paint('dim', facts)}`}`;
}
