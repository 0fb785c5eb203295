// A picture with a scale on its left and the labels of its points below, at the width that it has.
import type { ComponentChildren } from 'preact';
import {
  CHARACTER_PIXELS,
  type ChartData,
  labelEvery,
  type Scale,
  summaryOf,
} from '../view-models/chart-data.ts';
import { useWidth } from './width.ts';

const HEIGHT = 180;
const ABOVE = 8;
const BELOW = 24;

/** Where values and points are, in pixels. */
export interface Geometry {
  yOf: (value: number) => number;
  /** The left edge of a point's band. */
  xOf: (at: number) => number;
  bandWidth: number;
}

interface Props {
  title: string;
  data: ChartData;
  scale: Scale;
  children: (geometry: Geometry) => ComponentChildren;
}

export function Plot({ title, data, scale, children }: Props) {
  const [ref, width] = useWidth();
  const { points, write, writeTick = write } = data;
  const left = Math.max(...scale.ticks.map((tick) => writeTick(tick).length)) * CHARACTER_PIXELS + 10;
  const bandWidth = Math.max(width - left, 1) / Math.max(points.length, 1);
  const bottom = HEIGHT - BELOW;
  const yOf = (value: number) => bottom - ((value - scale.from) / (scale.to - scale.from)) * (bottom - ABOVE);
  const xOf = (at: number) => left + at * bandWidth;
  const every = labelEvery(
    points.map(({ label }) => label),
    bandWidth,
  );
  return (
    <div class="chart" ref={ref}>
      <svg width={width} height={HEIGHT} role="img" aria-label={summaryOf(title, data)}>
        {scale.ticks.map((tick) => (
          <g key={tick}>
            <line
              class={tick === 0 ? 'chart-zero' : 'chart-line'}
              x1={left}
              x2={width}
              y1={yOf(tick)}
              y2={yOf(tick)}
            />
            <text x={left - 8} y={yOf(tick) + 4} text-anchor="end">
              {writeTick(tick)}
            </text>
          </g>
        ))}
        {points.map(
          ({ label }, at) =>
            at % every === 0 && (
              <text
                key={label}
                x={within(xOf(at) + bandWidth / 2, label, width)}
                y={HEIGHT - 6}
                text-anchor="middle"
              >
                {label}
              </text>
            ),
        )}
        {children({ yOf, xOf, bandWidth })}
      </svg>
    </div>
  );
}

/** The middle of a label that does not leave the picture. */
function within(x: number, label: string, width: number): number {
  const half = (label.length * CHARACTER_PIXELS) / 2;
  return Math.max(half, Math.min(x, width - half));
}
