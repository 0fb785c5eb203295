// The chart above a table of groups, of one of its numbers.
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Row } from '../../sdk/index.ts';
import { Choice } from '../parts/choice.tsx';
import { answerChart, type Groups, MOST_BARS } from '../view-models/answer-chart.ts';
import { labelOf } from '../view-models/figures.ts';
import { BarsChart } from './bars-chart.tsx';
import { ColumnsChart } from './columns-chart.tsx';
import { LinesChart } from './lines-chart.tsx';

interface Props {
  title: string;
  rows: readonly Row[];
  groups: Groups;
}

export function AnswerChart({ title, rows, groups }: Props) {
  const { by, measures } = groups;
  const chosen = useSignal<string | undefined>(undefined);
  const measure = chosen.value ?? measures[0] ?? '';
  return (
    <>
      {measures.length > 1 && (
        <p class="row">
          <Choice
            aria-label="Number to see as a chart"
            options={measures.map((name) => [name, labelOf(name)])}
            value={measure}
            onChoose={(name) => (chosen.value = name)}
          />
        </p>
      )}
      <OfMeasure key={measure} title={title} rows={rows} groups={groups} measure={measure} />
      {by.length === 1 && rows.length > MOST_BARS && <p class="quiet">All rows are in the table.</p>}
    </>
  );
}

function OfMeasure({ title, rows, groups, measure }: Props & { measure: string }) {
  const chart = useMemo(() => answerChart(rows, groups, measure), [rows, groups, measure]);
  if (!chart) return null;
  switch (chart.form) {
    case 'bars':
      return (
        <BarsChart
          title={title}
          heads={[groups.by.map(labelOf).join(', '), labelOf(measure)]}
          bars={chart.bars}
          write={chart.write}
        />
      );
    case 'columns':
      return <ColumnsChart title={title} data={chart.data} hasTable />;
    case 'lines':
      return <LinesChart title={title} data={chart.data} hasTable />;
  }
}
