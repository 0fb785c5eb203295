// A table of runs: title, progress, cost.
import { durationText } from '../../duration-text.ts';
import { moneyColumn } from '../../money-column.ts';
import type { ListedRun } from '../../sdk/index.ts';
import { now } from '../now.ts';
import { link } from '../router.ts';
import { kinds } from '../view-models/run-filters.ts';
import { durationOf, inFlight, stepsText, titleOf } from '../view-models/run-rows.ts';
import { Badge } from './badge.tsx';
import { RowsTable } from './rows-table.tsx';
import { Ago } from './time.tsx';

interface Props {
  rows: readonly ListedRun[];
  /** No cost is real. */
  simulated: boolean | undefined;
}

export function RunTable({ rows, simulated }: Props) {
  const write = moneyColumn(
    rows.map(({ usage }) => usage.cost_usd),
    '$',
  );
  return (
    <RowsTable
      caption="Runs, newest first"
      heads={['Status', 'Run', 'Steps', 'Kind', 'Created', 'Took', simulated ? 'Cost, simulated' : 'Cost']}
      numbers={2}
    >
      {rows.map((run) => (
        <Row key={run.id} run={run} write={write} />
      ))}
    </RowsTable>
  );
}

function Row({ run, write }: { run: ListedRun; write: (usd: number) => string }) {
  // Only a running run needs the clock.
  const duration = durationOf(run, inFlight(run) ? now.value : 0);
  return (
    <tr>
      <td class="status">
        <Badge status={run.status} />
      </td>
      <th scope="row">
        <a href={link(`runs/${run.id}`)}>{titleOf(run)}</a>
      </th>
      <td class="ticks">
        <Ticks steps={run.steps} />
      </td>
      <td class="quiet run-kind">{kinds[run.input_type]}</td>
      <td class="quiet run-created">
        <Ago at={run.created_at} />
      </td>
      <td class="number run-took">{durationText(duration)}</td>
      <td class="number run-cost">{write(run.usage.cost_usd)}</td>
    </tr>
  );
}

/** A mark per step, in plan order, and the same in words. */
function Ticks({ steps }: Pick<ListedRun, 'steps'>) {
  return (
    <>
      <span class="unseen">{stepsText(steps)}</span>
      <span aria-hidden="true">
        {steps.map(({ index, status, title }) => (
          <i key={index} class={`run-tick is-${status}`} title={`${title}: ${status}`} />
        ))}
      </span>
    </>
  );
}
