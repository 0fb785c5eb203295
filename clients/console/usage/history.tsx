// What runs came to over some days: as charts by day, and as tables by key and by monitor.
import type { ComponentChildren } from 'preact';
import type { UsageRow } from '../../sdk/index.ts';
import { ColumnsChart } from '../chart/columns-chart.tsx';
import { LinesChart } from '../chart/lines-chart.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { here, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import type { Column } from '../view-models/cells.ts';
import { counted, moneyText } from '../view-models/figures.ts';
import {
  costChart,
  daysUntil,
  durationsChart,
  ranges,
  runsChart,
  totalOf,
  usageTable,
} from '../view-models/usage-days.ts';

interface Props {
  session: Session;
  /** Of the address: how many days. */
  chosen: string | undefined;
}

export function UsageHistory({ session, chosen }: Props) {
  const count = ranges.find((one) => String(one) === chosen) ?? 30;
  return (
    <section aria-labelledby="history">
      <h2 id="history">The last {count} days</h2>
      <nav class="row" aria-label="How many days">
        {ranges.map((one) => (
          <a
            key={one}
            class="button"
            href={here({ days: String(one) })}
            aria-current={one === count ? 'true' : undefined}
          >
            {one} days
          </a>
        ))}
      </nav>
      <Days key={count} session={session} count={count} />
    </section>
  );
}

function Days({ session, count }: { session: Session; count: number }) {
  const days = daysUntil(Date.now(), count);
  const usage = useResource('usage', async (signal) => {
    const range = { from: days[0], to: days.at(-1) };
    const { client } = session;
    const [outcomes, daily, keys, monitors, names] = await Promise.all([
      client.usage({ ...range, by: ['day', 'status'] }, { signal }),
      client.usage({ ...range, by: 'day' }, { signal }),
      client.usage({ ...range, by: 'key' }, { signal }),
      client.usage({ ...range, by: 'monitor' }, { signal }),
      namesIn(session, signal),
    ]);
    return { outcomes, daily, keys, monitors, names };
  });
  return (
    <Show resource={usage}>
      {({ outcomes, daily, keys, monitors, names }) => {
        const total = totalOf(daily);
        if (total.runs === 0) return <p>No run in these days.</p>;
        const fired = monitors.filter(({ monitor_id }) => monitor_id);
        return (
          <>
            <p>
              <strong>{counted(total.runs, 'run')}</strong>, which cost{' '}
              <strong>{moneyText(total.cost_usd)}</strong>. Days are those of UTC.
            </p>
            <ColumnsChart title="Runs by outcome" data={runsChart(days, outcomes)} />
            <div class="charts">
              <ColumnsChart title="Cost" data={costChart(days, daily)} />
              <LinesChart title="Time from creation to end" data={durationsChart(days, daily)} />
            </div>
            <Grouped
              title="By key"
              head="Key"
              rows={keys}
              nameOf={({ key_id = '' }) => names.get(key_id) ?? <code>{key_id}</code>}
            />
            {fired.length > 0 && (
              <Grouped
                title="By monitor"
                head="Monitor"
                rows={fired}
                nameOf={({ monitor_id }) => (
                  <a href={link(`monitors/${monitor_id}`)}>{names.get(monitor_id ?? '') ?? monitor_id}</a>
                )}
              />
            )}
          </>
        );
      }}
    </Show>
  );
}

/** The names of keys and monitors by their ids, as far as the key may read them; what is gone has none. */
async function namesIn(session: Session, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const { client, me } = session;
  const names = new Map<string, string>();
  const own = me.peek();
  if (own) names.set(own.key_id, own.name);
  if (allows(session, 'keys:manage'))
    for (const { key_id, name } of await client.keys.list({ signal })) names.set(key_id, name);
  for await (const { id, name } of client.monitors.list({}, { signal })) names.set(id, name);
  return names;
}

interface GroupedProps {
  title: string;
  head: string;
  rows: readonly UsageRow[];
  nameOf: (row: UsageRow) => ComponentChildren;
}

function Grouped({ title, head, rows, nameOf }: GroupedProps) {
  const sorted = rows.toSorted((a, b) => b.cost_usd - a.cost_usd || b.runs - a.runs);
  const table = usageTable(sorted);
  const column: Column = { name: 'name', label: head, isNumeric: false, write: String };
  return (
    <>
      <h3>{title}</h3>
      <Sheet
        title={title}
        columns={table.columns}
        rows={table.rows}
        lead={{
          column,
          cellOf: (at) => {
            const row = sorted[at];
            return row && <div class="lead-name">{nameOf(row)}</div>;
          },
        }}
      />
    </>
  );
}
