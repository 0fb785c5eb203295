// The marks of charts: a filled box in the colour and the pattern of its series.
import type { Look } from '../view-models/chart-data.ts';

type Pattern = 'stripes' | 'dots' | 'counter-stripes' | 'grid';

const patternOf: Readonly<Record<Look, Pattern | undefined>> = {
  good: undefined,
  bad: 'stripes',
  quiet: 'dots',
  busy: 'counter-stripes',
  first: undefined,
  second: 'stripes',
  third: 'dots',
  fourth: 'counter-stripes',
  fifth: 'grid',
};

const lines: Readonly<Record<Pattern, string>> = {
  stripes: 'M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2',
  dots: 'M1,2 h2 M4,5 h2',
  'counter-stripes': 'M-1,5 l2,2 M0,0 l6,6 M5,-1 l2,2',
  grid: 'M0,3 h6 M3,0 v6',
};

/** The patterns of the looks, once in each picture; `id` tells its patterns from those of other pictures. */
export function Patterns({ id, looks }: { id: string; looks: readonly Look[] }) {
  const used = [...new Set(looks.flatMap((look) => patternOf[look] ?? []))];
  return (
    <defs>
      {used.map((pattern) => (
        <pattern key={pattern} id={`${id}-${pattern}`} width="6" height="6" patternUnits="userSpaceOnUse">
          <path class="chart-pattern" d={lines[pattern]} />
        </pattern>
      ))}
    </defs>
  );
}

interface MarkProps {
  /** Of the picture's patterns. */
  id: string;
  look: Look;
  x: number | string;
  y: number;
  width: number | string;
  height: number;
}

export function Mark({ id, look, ...box }: MarkProps) {
  const pattern = patternOf[look];
  return (
    <>
      <rect class={`look-${look}`} {...box} />
      {pattern && <rect fill={`url(#${id}-${pattern})`} {...box} />}
    </>
  );
}
