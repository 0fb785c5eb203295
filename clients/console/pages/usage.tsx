// The usage and limits of the key and its workspace, what runs came to by day, and the most expensive of the last ones.
import type { Me } from '../../sdk/index.ts';
import { Fact } from '../parts/fact.tsx';
import { RunTable } from '../parts/run-table.tsx';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { useTitle } from '../title.ts';
import { UsageHistory } from '../usage/history.tsx';
import { counted, moneyText, timeText } from '../view-models/figures.ts';
import type { PageProps } from './page.ts';

const RUNS_SHOWN = 50;

export function UsagePage({ session, query }: PageProps) {
  useTitle('Usage');
  const me = useResource('me', (signal) => session.client.me({ signal }));
  const runs = useResource('runs', async (signal) => {
    const { data } = await session.client.runs.list({ limit: RUNS_SHOWN }, { signal });
    return data.toSorted((a, b) => b.usage.cost_usd - a.usage.cost_usd);
  });
  const simulated = session.me.value?.model.simulated;
  return (
    <>
      <h1>Usage</h1>
      {simulated && <p class="note">Costs are simulated: no model charges them.</p>}
      <Show resource={me}>
        {(known) => (
          <>
            <Workspace workspace={known.workspace} />
            <UsageHistory session={session} chosen={query.days} />
            <Key me={known} />
          </>
        )}
      </Show>
      <h2>The last {RUNS_SHOWN} runs by cost</h2>
      <Show resource={runs}>
        {(rows) => (rows.length > 0 ? <RunTable rows={rows} simulated={simulated} /> : <p>No run yet.</p>)}
      </Show>
    </>
  );
}

function Workspace({ workspace }: Pick<Me, 'workspace'>) {
  const { name, tier, runs_in_flight, max_concurrent_runs, cost_today_usd, daily_cost_cap_usd } = workspace;
  const { credits_left, credits_held } = workspace;
  return (
    <section aria-labelledby="workspace">
      <h2 id="workspace">
        {name} <span class="quiet">{tier}</span>
      </h2>
      <div class="gauges">
        <Gauge name="Runs in flight" used={runs_in_flight} limit={max_concurrent_runs} text={String} />
        <Gauge name="Cost today" used={cost_today_usd} limit={daily_cost_cap_usd} text={moneyText} />
        <div>
          <h3>Credits</h3>
          {credits_left === null ? (
            <p>This workspace does not use credits.</p>
          ) : (
            <p>
              <strong>{credits_left.toLocaleString('en')}</strong> left,{' '}
              {counted(credits_held ?? 0, 'credit')} reserved by runs in flight
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

interface GaugeProps {
  name: string;
  used: number;
  limit: number;
  text: (value: number) => string;
}

function Gauge({ name, used, limit, text }: GaugeProps) {
  return (
    <div>
      <h3>{name}</h3>
      <meter
        min={0}
        max={Math.max(limit, used, Number.MIN_VALUE)}
        high={limit * 0.8}
        value={used}
        aria-label={name}
      />
      <p>
        <strong>{text(used)}</strong> of {text(limit)}
      </p>
    </div>
  );
}

function Key({ me: { name, key_id, scopes, expires_at, daily_cost_limit_usd, cost_today_usd } }: { me: Me }) {
  return (
    <section aria-labelledby="key">
      <h2 id="key">This key</h2>
      <dl class="facts">
        <Fact name="Name">
          {name} <code class="quiet">{key_id}</code>
        </Fact>
        <Fact name="Scopes">
          {scopes.map((scope) => (
            <code key={scope}>{scope} </code>
          ))}
        </Fact>
        <Fact name="Cost today">
          {moneyText(cost_today_usd)}
          {daily_cost_limit_usd === null ? ', no limit of its own' : ` of ${moneyText(daily_cost_limit_usd)}`}
        </Fact>
        <Fact name="Expires">{expires_at === null ? 'never' : timeText(expires_at)}</Fact>
      </dl>
    </section>
  );
}
