// The frame of every chart: its title, what its marks mean, the picture, and the same values as a table.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Sheet } from '../parts/sheet.tsx';
import { columnsOf } from '../view-models/cells.ts';
import type { ChartData, Series } from '../view-models/chart-data.ts';
import { Mark } from './mark.tsx';

interface Props {
  title: string;
  data: ChartData;
  /** The page itself shows the values as a table. */
  hasTable?: boolean | undefined;
  children: ComponentChildren;
}

export function ChartFigure({ title, data, hasTable = false, children }: Props) {
  return (
    <figure class="chart-figure">
      <figcaption>
        <strong>{title}</strong>
        {data.series.length > 1 && <Legend series={data.series} />}
      </figcaption>
      {children}
      {!hasTable && (
        <details>
          <summary>As a table</summary>
          <Values title={title} data={data} />
        </details>
      )}
    </figure>
  );
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul class="chips legend">
      {series.map(({ name, look }) => (
        <li key={name}>
          <svg width="14" height="14" aria-hidden="true">
            <Mark look={look} x={0} y={0} width={14} height={14} />
          </svg>{' '}
          {name}
        </li>
      ))}
    </ul>
  );
}

function Values({ title, data: { head, series, points, write } }: { title: string; data: ChartData }) {
  const { columns, rows } = useMemo(() => {
    const names = [head, ...series.map(({ name }) => name)];
    const made = points.map(({ label, name = label, values }, at) => ({
      at,
      row: Object.fromEntries([[head, name], ...series.map((one, i) => [one.name, values[i] ?? null])]),
    }));
    const shown = columnsOf(
      names,
      made.map(({ row }) => row),
    );
    return { columns: shown.map((column) => ({ ...column, label: column.name, write })), rows: made };
  }, [head, series, points]);
  return <Sheet title={`${title}, as a table`} columns={columns} rows={rows} />;
}
