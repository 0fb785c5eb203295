// The chart above a table where its rows are groups; loaded only then.
import { useMemo } from 'preact/hooks';
import type { Row } from '../../sdk/index.ts';
import { useResource } from '../resource.ts';
import { groupsIn } from '../view-models/answer-chart.ts';

interface Props {
  title: string;
  columns: readonly string[];
  rows: readonly Row[];
}

export function TableChart({ title, columns, rows }: Props) {
  const groups = useMemo(() => groupsIn(columns, rows), [columns, rows]);
  return groups ? <Loaded title={title} rows={rows} groups={groups} /> : null;
}

function Loaded(props: Pick<Props, 'title' | 'rows'> & { groups: NonNullable<ReturnType<typeof groupsIn>> }) {
  const chart = useResource('chart', async () => (await import('../chart/answer-chart.tsx')).AnswerChart);
  const { loaded } = chart;
  // The table has the same values: a chart that cannot be loaded is no error.
  if (loaded.value.state !== 'ready') return null;
  const Chart = loaded.value.value;
  return <Chart {...props} />;
}
