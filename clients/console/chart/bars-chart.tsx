// A bar for each of some values without an order, in a table that is read as one.
import type { ComponentChildren } from 'preact';
import { scaleOf } from '../view-models/chart-data.ts';

interface Bar {
  label: string;
  /** Shown in place of the label. */
  content?: ComponentChildren;
  value: number;
}

interface Props {
  title: string;
  /** What the bars are, and what their lengths. */
  heads: readonly [label: string, value: string];
  bars: readonly Bar[];
  write: (value: number) => string;
}

export function BarsChart({ title, heads, bars, write }: Props) {
  const { from, to } = scaleOf(bars.map(({ value }) => value));
  const percent = (value: number) => `${(100 * value) / (to - from)}%`;
  return (
    <table class="bars">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{heads[0]}</th>
          <th scope="col" class="number">
            {heads[1]}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, content = label, value }) => (
          <tr key={label}>
            <th scope="row">{content}</th>
            <td class="number">{write(value)}</td>
            <td class="bar-cell">
              <svg width="100%" height="16" aria-hidden="true">
                <rect
                  class={value < 0 ? 'look-bad' : 'look-first'}
                  x={percent(Math.min(value, 0) - from)}
                  width={percent(Math.abs(value))}
                  y="0"
                  height="16"
                  rx="2"
                />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
