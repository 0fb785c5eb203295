// Lines along an order, each with other dashes and marks; a point without a value interrupts its line.
import { type ChartData, type Look, scaleOf } from '../view-models/chart-data.ts';
import { ChartFigure } from './chart-figure.tsx';
import { type Geometry, Plot } from './plot.tsx';

interface Props {
  title: string;
  data: ChartData;
  /** The page itself shows the values as a table. */
  hasTable?: boolean;
}

export function LinesChart({ title, data, hasTable }: Props) {
  const values = data.points.flatMap((point) => point.values.filter((one) => one !== null));
  return (
    <ChartFigure title={title} data={data} hasTable={hasTable}>
      <Plot title={title} data={data} scale={scaleOf(values)}>
        {(geometry) =>
          data.series.map(({ name, look }, i) => (
            <Line key={name} at={i} look={look} name={name} data={data} geometry={geometry} />
          ))
        }
      </Plot>
    </ChartFigure>
  );
}

interface LineProps {
  /** Which series it is. */
  at: number;
  name: string;
  look: Look;
  data: ChartData;
  geometry: Geometry;
}

function Line({ at, name, look, data, geometry: { xOf, yOf, bandWidth } }: LineProps) {
  let isDrawing = false;
  const marks = data.points.flatMap(({ label, values, ...point }, i) => {
    const value = values[at];
    const follows = isDrawing;
    isDrawing = value !== null && value !== undefined;
    if (value === null || value === undefined) return [];
    const [x, y] = [xOf(i) + bandWidth / 2, yOf(value)];
    return [{ x, y, follows, title: `${point.name ?? label}: ${name} ${data.write(value)}` }];
  });
  return (
    <g>
      <path
        class={`chart-stroke look-${look}`}
        stroke-dasharray={dashes[at % dashes.length]}
        d={marks.map(({ x, y, follows }) => `${follows ? 'L' : 'M'}${x},${y}`).join(' ')}
      />
      {marks.map(({ x, y, title }) => (
        <path key={x} class={`look-${look}`} d={`M${x},${y} ${forms[at % forms.length]}`}>
          <title>{title}</title>
        </path>
      ))}
    </g>
  );
}

const dashes = [undefined, '5 3', '2 2', '8 3 2 3', '1 3'];
/** A disc, a square, a triangle, a diamond, a bar: paths from their middle. */
const forms = [
  'm-3,0 a3,3 0 1,0 6,0 a3,3 0 1,0 -6,0',
  'm-3,-3 h6 v6 h-6 z',
  'm0,-4 l4,7 h-8 z',
  'm0,-4 l4,4 l-4,4 l-4,-4 z',
  'm-1.5,-4 h3 v8 h-3 z',
];
