// The marks of charts: a filled box in the colour and with the lines of its series.
import type { Look } from '../view-models/chart-data.ts';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Lines = (box: Pick<Box, 'width' | 'height'>) => string;

const GAP = 6;
const every = (gap: number, until: number) =>
  Array.from({ length: Math.ceil(until / gap) }, (_, at) => gap / 2 + at * gap);

const rising: Lines = ({ width, height }) =>
  every(GAP, width + height)
    .map((x) => `M${x},0 l${-height},${height}`)
    .join('');
const falling: Lines = ({ width, height }) =>
  every(GAP, width + height)
    .map((x) => `M${x - height},0 l${height},${height}`)
    .join('');
const across: Lines = ({ width, height }) =>
  every(GAP - 1, height)
    .map((y) => `M0,${y} h${width}`)
    .join('');
const upright: Lines = ({ width, height }) =>
  every(GAP - 1, width)
    .map((x) => `M${x},0 v${height}`)
    .join('');

const linesOf: Readonly<Record<Look, Lines | undefined>> = {
  good: undefined,
  bad: rising,
  quiet: across,
  busy: falling,
  first: undefined,
  second: rising,
  third: across,
  fourth: falling,
  fifth: upright,
};

export function Mark({ look, ...box }: Box & { look: Look }) {
  const path = linesOf[look]?.(box);
  return (
    <>
      <rect class={`look-${look}`} {...box} />
      {path && (
        <svg {...box} aria-hidden="true">
          <path class="chart-pattern" d={path} />
        </svg>
      )}
    </>
  );
}
