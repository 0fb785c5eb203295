// One step of a run as a line: finished, or running with a bar.
import { durationText } from '../../duration-text.ts';
import { counted } from '../output/figures.ts';
import { plainLine } from '../output/plain.ts';
import { fitted, type Paint, shortened, widthOf } from '../output/terminal.ts';
import type { StepStatus, StepView } from './view.ts';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const MIN_TITLE = 8;

const marks: Record<StepStatus, { sign: string; style: Parameters<Paint>[0] }> = {
  pending: { sign: '·', style: 'dim' },
  running: { sign: '›', style: 'cyan' },
  completed: { sign: '✓', style: 'green' },
  failed: { sign: '✗', style: 'red' },
  skipped: { sign: '↷', style: 'dim' },
  canceled: { sign: '–', style: 'yellow' },
};

/** The facts of a finished step, after its title. */
function outcomeOf({ status, itemsOut, durationMs, error }: StepView): string[] {
  return [
    ...(status === 'completed' ? [] : [status === 'skipped' ? 'reused' : status]),
    ...(itemsOut === undefined ? [] : [counted(itemsOut, 'item')]),
    ...(durationMs === undefined ? [] : [durationText(durationMs)]),
    ...(error === undefined ? [] : [plainLine(error)]),
  ];
}

/** A finished step in a log: `step 2 of 3 completed: In Berlin, 4 items, 0.1 s`. */
export function finishedLine(step: StepView, total: number): string {
  const { index, title, status, ...rest } = step;
  const facts = outcomeOf({ ...rest, index, title, status: 'completed' });
  return `step ${index + 1} of ${total} ${status}: ${[plainLine(title), ...facts].join(', ')}`;
}

/** The progress of the running step, in a log. */
export function progressLine({ index, title, items, retry }: StepView, total: number): string {
  const facts = [
    ...(items === undefined ? [] : [`${items.done} of ${counted(items.total, 'item')}`]),
    ...(retry === undefined ? [] : [`attempt ${retry.attempt} of ${retry.of}`]),
  ];
  return `step ${index + 1} of ${total} running: ${[plainLine(title), ...facts].join(', ')}`;
}

/** A finished step on a terminal, in at most `columns`. */
export function finishedRow(step: StepView, columns: number, paint: Paint): string {
  const { sign, style } = marks[step.status];
  return row({ sign: paint(style, sign), step, right: outcomeOf(step).join('  '), columns, paint });
}

/** A pending step. */
export function pendingRow(step: StepView, columns: number, paint: Paint): string {
  return paint('dim', shortened(`${marks.pending.sign} ${step.index + 1} ${plainLine(step.title)}`, columns));
}

/** The running step: a bar when it counts items, and its elapsed time. */
export function runningRow(step: StepView, columns: number, nowMs: number, paint: Paint): string {
  const frame = SPINNER[Math.floor(nowMs / FRAME_MS) % SPINNER.length] ?? '';
  const { items, retry, startedAt } = step;
  const right = [
    ...(items === undefined ? [] : [`${bar(items, columns < 60 ? 8 : 20)} ${items.done}/${items.total}`]),
    ...(retry === undefined ? [] : [`attempt ${retry.attempt}/${retry.of}`]),
    ...(startedAt === undefined ? [] : [durationText(Math.max(nowMs - startedAt, 0))]),
  ].join('  ');
  return row({ sign: paint('cyan', frame), step, right, columns, paint });
}

function bar({ done, total }: { done: number; total: number }, width: number): string {
  const full = total <= 0 ? width : Math.min(Math.round((done / total) * width), width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

interface Row {
  sign: string;
  step: StepView;
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
