// Metrics of this service since its start, in the text format of Prometheus (rules.md: local 16).
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EventBody } from '#contract/events.ts';
import { onGrowth } from '../shared-thread/broadcast-growth.ts';
import { onObservation } from '../shared-thread/broadcast-observations.ts';

/** Money is counted in 1e-12 USD. */
const PICO = 1e12;
const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

export interface Metrics {
  /** The page of `GET /metrics`, and its media type. */
  page(): Promise<{ text: string; mediaType: string }>;
  stop(): void;
}

/** The status that a run has after an event. */
const statusAfter: Readonly<Record<string, string>> = {
  'run.created': 'pending',
  'run.started': 'running',
  'run.paused': 'paused',
  'run.succeeded': 'succeeded',
  'run.failed': 'failed',
  'run.canceled': 'canceled',
};
const ends = ['run.succeeded', 'run.failed', 'run.canceled'];

/** The figures of the page. `openInvocations` is asked for each page, by function. */
function createFigures(registry: Registry, openInvocations: () => Record<string, number>) {
  const registers = [registry];
  const buckets = SECONDS;
  const named = (name: string, help: string) => ({ name: `run_service_${name}`, help, registers });
  new Gauge({
    ...named('open_invocations', 'Invocations that have not ended, by function'),
    labelNames: ['function'],
    collect() {
      for (const [name, count] of Object.entries(openInvocations())) this.set({ function: name }, count);
    },
  });
  return {
    runs: new Gauge({ ...named('runs', 'Runs by status, since the start'), labelNames: ['status'] }),
    runSeconds: new Histogram({ ...named('run_seconds', 'From creation to end'), buckets }),
    stepSeconds: new Histogram({ ...named('step_seconds', 'Of a step'), buckets, labelNames: ['kind'] }),
    callSeconds: new Histogram({ ...named('model_call_seconds', 'Of a call of a model'), buckets }),
    calls: new Counter({ ...named('model_calls_total', 'Calls of models'), labelNames: ['outcome'] }),
    modelAway: new Gauge({
      ...named('model_away', '1 while an endpoint of a model is away'),
      labelNames: ['model'],
    }),
    cost: new Counter(named('cost_usd_total', 'Cost of the calls')),
    deliveries: new Counter({
      ...named('deliveries_total', 'Ended webhook deliveries'),
      labelNames: ['outcome'],
    }),
    healed: new Counter({ ...named('healed_total', 'What the sweep has repaired'), labelNames: ['what'] }),
    notHealed: new Counter({
      ...named('not_healed_total', 'What the sweep could not repair, and ended runs whose log is illegal'),
      labelNames: ['what'],
    }),
  };
}

/**
 * Counts from now on what happens in this process. `openInvocations` is asked for each page, by function; `models` are
 * the endpoints of models.
 */
export function collectMetrics(
  openInvocations: () => Record<string, number>,
  models: readonly string[],
): Metrics {
  const registry = new Registry();
  const figures = createFigures(registry, openInvocations);
  for (const model of models) figures.modelAway.set({ model }, 0);
  /** Runs in flight that this process has seen. */
  const inFlight = new Map<string, string>();

  function count(runId: string, { event_type, data }: EventBody): void {
    const seconds = 'duration_ms' in data ? Number(data.duration_ms) / 1000 : Number.NaN;
    const status = statusAfter[event_type];
    const { runs, runSeconds, stepSeconds } = figures;
    if (status !== undefined) {
      const before = inFlight.get(runId);
      if (before !== undefined) runs.dec({ status: before });
      runs.inc({ status });
      if (ends.includes(event_type)) inFlight.delete(runId);
      else inFlight.set(runId, status);
      if (Number.isFinite(seconds)) runSeconds.observe(seconds);
    } else if (event_type === 'step.completed' || event_type === 'step.failed')
      stepSeconds.observe({ kind: String(data.kind) }, seconds);
  }

  const stopGrowth = onGrowth(({ id, events }) => {
    for (const event of events) count(id, event);
  });
  const stopObserving = onObservation((one) => {
    switch (one.what) {
      case 'model_call':
        figures.calls.inc({ outcome: one.outcome });
        return figures.callSeconds.observe(one.ms / 1000);
      case 'model':
        return figures.modelAway.set({ model: one.name }, one.away ? 1 : 0);
      case 'cost':
        return figures.cost.inc(Number(one.pico_usd) / PICO);
      case 'delivery':
        return figures.deliveries.inc({ outcome: one.outcome });
      case 'healed':
        return figures.healed.inc({ what: one.repair }, one.times);
      case 'not_healed':
        return figures.notHealed.inc({ what: one.problem }, one.times);
    }
  });
  return {
    page: async () => ({ text: await registry.metrics(), mediaType: registry.contentType }),
    stop() {
      stopGrowth();
      stopObserving();
    },
  };
}
