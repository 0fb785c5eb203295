// The abilities of an output: colours, redrawing, width.
import { styleText } from 'node:util';
import stringWidth from 'fast-string-truncated-width';
import type { Output, Surroundings } from '../surroundings.ts';

type Style = Parameters<typeof styleText>[0];
/** Colours a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
const ELLIPSIS = '…';

/** Terminals get colours unless NO_COLOR is set; FORCE_COLOR enables them everywhere. */
export function paintFor(output: Output, env: Surroundings['env']): Paint {
  const forced = env.FORCE_COLOR !== undefined && !['0', 'false'].includes(env.FORCE_COLOR);
  const wanted =
    output.isTTY === true && env.TERM !== 'dumb' && !env.NO_COLOR && env.FORCE_COLOR === undefined;
  return forced || wanted
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
}

/** Whether lines may be redrawn: only when neither output is piped, so that no file contains cursor moves. */
export function redraws({ stdout, stderr, env }: Surroundings): boolean {
  return stdout.isTTY === true && stderr.isTTY === true && env.TERM !== 'dumb';
}

/** Columns of a line that does not wrap, and rows of the screen. */
export function sizeOf({ columns, rows }: Output): { columns: number; rows: number } {
  return { columns: Math.max((columns || DEFAULT_COLUMNS) - 1, 10), rows: rows || DEFAULT_ROWS };
}

/** What the text of an answer is made for. */
export interface Screen {
  /** Columns of a line that does not wrap; undefined in a pipe or file, which takes lines whole. */
  columns: number | undefined;
  paint: Paint;
  /** Epoch ms, to which a reader's times are relative. */
  now: number;
}

export function screenOf({ stdout, env }: Pick<Surroundings, 'stdout' | 'env'>): Screen {
  const columns = stdout.isTTY ? sizeOf(stdout).columns : undefined;
  return { columns, paint: paintFor(stdout, env), now: Date.now() };
}

/** Columns of a text; wide characters count two. */
export function widthOf(text: string): number {
  return stringWidth(text).width;
}

/** Text of exactly `width` columns: cut with an ellipsis, or padded with spaces. */
export function fitted(text: string, width: number): string {
  const cut = shortened(text, width);
  return cut + ' '.repeat(Math.max(width - widthOf(cut), 0));
}

/** Text of at most `width` columns. */
export function shortened(text: string, width: number): string {
  if (width <= 0) return '';
  const { index, ellipsed } = stringWidth(text, { limit: width, ellipsis: ELLIPSIS });
  return ellipsed ? text.slice(0, index) + ELLIPSIS : text.slice(0, index);
}
