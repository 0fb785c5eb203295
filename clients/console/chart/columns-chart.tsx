// Columns along an order (days, months, steps of a number), stacked where there are several series.
import { type ChartData, type Point, scaleOf, stackedValues } from '../view-models/chart-data.ts';
import { ChartFigure } from './chart-figure.tsx';
import { Mark } from './mark.tsx';
import { type Geometry, Plot } from './plot.tsx';

interface Props {
  title: string;
  data: ChartData;
  /** The page itself shows the values as a table. */
  hasTable?: boolean;
}

export function ColumnsChart({ title, data, hasTable }: Props) {
  return (
    <ChartFigure title={title} data={data} hasTable={hasTable}>
      <Plot title={title} data={data} scale={scaleOf(stackedValues(data))}>
        {(geometry) =>
          data.points.map((point, at) => (
            <Column key={point.label} at={at} point={point} data={data} geometry={geometry} />
          ))
        }
      </Plot>
    </ChartFigure>
  );
}

const WIDEST = 64;

interface ColumnProps {
  at: number;
  point: Point;
  data: ChartData;
  geometry: Geometry;
}

function Column({ at, point, data, geometry: { xOf, yOf, bandWidth } }: ColumnProps) {
  const width = Math.min(Math.max(bandWidth * 0.8, 1), WIDEST);
  const x = xOf(at) + (bandWidth - width) / 2;
  let [above, below] = [0, 0];
  return (
    <g>
      <title>{titleOf(point, data)}</title>
      {data.series.map(({ name, look }, i) => {
        const value = point.values[i] ?? 0;
        if (value === 0) return null;
        const from = value > 0 ? above : below;
        if (value > 0) above += value;
        else below += value;
        const [top, bottom] = [yOf(Math.max(from, from + value)), yOf(Math.min(from, from + value))];
        return <Mark key={name} look={look} x={x} y={top} width={width} height={Math.max(bottom - top, 1)} />;
      })}
    </g>
  );
}

function titleOf({ label, name = label, values }: Point, { series, write }: ChartData): string {
  const known = series.flatMap((one, i) => {
    const value = values[i];
    if (value === null || value === undefined) return [];
    return series.length > 1 ? (value === 0 ? [] : [`${one.name} ${write(value)}`]) : [write(value)];
  });
  return `${name}: ${known.join(', ') || 'none'}`;
}
