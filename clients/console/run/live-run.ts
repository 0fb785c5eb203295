// Subscribes to one run: its log, then its live state, while the page is open.
import { type ReadonlySignal, signal } from '@preact/signals';
import {
  type ConnectionState,
  isApiError,
  type Plan,
  type Run,
  type RunEvent,
  type RunService,
  type RunState,
  reduce,
  type StepState,
  withEnvelope,
  withPlan,
} from '../../sdk/index.ts';
import { announce } from '../announce.ts';
import { inFlight } from '../view-models/run-rows.ts';

/** The plan that the run executes, and how its query was read: as far as known. */
interface Planned {
  plan: Plan | undefined;
  understood_as: string | undefined;
}

export interface LiveRun {
  readonly run: ReadonlySignal<RunState>;
  readonly planned: ReadonlySignal<Planned>;
  readonly events: ReadonlySignal<readonly RunEvent[]>;
  /** How the log arrives; `closed` when nothing more will come. */
  readonly connection: ReadonlySignal<ConnectionState>;
  /** Why the run can no longer be followed. */
  readonly failure: ReadonlySignal<unknown>;
  /** Takes the envelope returned by an action, and follows the run from there. */
  take(run: Run): void;
}

const PAGE_EVENTS = 1000;
/** Events that arrive together are rendered together. */
const DRAWN_EVERY_MS = 50;
const ASK_AGAIN_MS = 2000;
const ASK_WAITING_MS = 3000;

/** Reads a run and follows it until the signal fires. Throws the client's errors when it cannot be read. */
export async function openRun(client: RunService, id: string, until: AbortSignal): Promise<LiveRun> {
  const log: RunEvent[] = [];
  for await (const event of client.runs.events(id, { limit: PAGE_EVENTS }, { signal: until }))
    log.push(event);
  const envelope = await client.runs.get(id, { plan: true, signal: until });
  const live = new Following(client, withEnvelope(log.reduce(reduce, envelope), envelope), log, until);
  if (!live.hasEnded()) live.follow();
  return live;
}

const plannedOf = ({ plan, understood_as }: Pick<Run, 'plan' | 'understood_as'>): Planned => ({
  plan: plan ?? undefined,
  understood_as: understood_as ?? undefined,
});

/** The steps with the times of the envelope, where it knows the same attempt. */
const withTimes = (steps: readonly StepState[], known: Run['steps']): StepState[] =>
  steps.map((step) => {
    const { attempt, started_at } = known.find(({ index }) => index === step.index) ?? {};
    return attempt === step.attempt && started_at !== undefined ? { ...step, started_at } : step;
  });

class Following implements LiveRun {
  readonly run;
  readonly planned;
  readonly events;
  readonly connection = signal<ConnectionState>('closed');
  readonly failure = signal<unknown>(undefined);
  readonly #client: RunService;
  readonly #until: AbortSignal;
  #isFollowing = false;
  #isRefreshing = false;
  #arrived: RunEvent[] = [];

  constructor(client: RunService, run: RunState, events: RunEvent[], until: AbortSignal) {
    this.#client = client;
    this.#until = until;
    this.run = signal(run);
    this.planned = signal(plannedOf(run));
    this.events = signal<readonly RunEvent[]>(events);
  }

  /** The envelope is terminal, and so is the log. */
  hasEnded(): boolean {
    const last = this.events.peek().at(-1);
    const run = this.run.peek();
    return !inFlight(run) && (last === undefined || last.event_type === `run.${run.status}`);
  }

  take(run: Run): void {
    this.#show(withEnvelope(this.run.peek(), run));
    if (!this.#isFollowing) this.follow();
  }

  /** Follows the log from the last known event to its end, across lost connections. */
  follow(): void {
    this.#isFollowing = true;
    // A job begins and ends without an event of the log.
    const timer = setInterval(() => this.#mayWaitForJob() && void this.#refresh(), ASK_WAITING_MS);
    void this.#followOn().finally(() => {
      clearInterval(timer);
      this.#isFollowing = false;
      this.connection.value = 'closed';
    });
  }

  #mayWaitForJob(): boolean {
    const { status, steps } = this.run.peek();
    return (
      status === 'running' &&
      !document.hidden &&
      steps.some((step) => step.kind === 'fetch' && step.status === 'running')
    );
  }

  /** A watch gives up after some retries; an open page does not. */
  async #followOn(): Promise<void> {
    while (!this.#until.aborted) {
      try {
        return await this.#watch();
      } catch (error) {
        if (this.#until.aborted) return;
        if (isApiError(error) && error.status < 500 && error.status !== 429) {
          this.failure.value = error;
          return;
        }
        this.connection.value = 'reconnecting';
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
      }
    }
  }

  async #watch(): Promise<void> {
    const after = this.#arrived.at(-1) ?? this.events.peek().at(-1);
    const watch = this.#client.runs.watch(this.run.peek().id, {
      after: after?.event_id,
      signal: this.#until,
      onConnection: (state) => {
        this.connection.value = state;
      },
    });
    for await (const event of watch) this.#takeEvent(event);
    this.#draw();
    this.#show(withEnvelope(this.run.peek(), await watch.done()));
  }

  #takeEvent(event: RunEvent): void {
    if (this.#arrived.length === 0) setTimeout(() => this.#draw(), DRAWN_EVERY_MS);
    this.#arrived.push(event);
  }

  #draw(): void {
    const arrived = this.#arrived;
    if (arrived.length === 0 || this.#until.aborted) return;
    this.#arrived = [];
    this.events.value = [...this.events.peek(), ...arrived];
    this.#show(arrived.reduce(reduce, this.run.peek()));
    if (arrived.some(({ event_type }) => event_type !== 'step.progress')) void this.#refresh();
  }

  /** Reads what events lack: the cost so far, the plan of a query, the message, when a step began. */
  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      const envelope = await this.#client.runs.get(this.run.peek().id, { plan: true, signal: this.#until });
      this.planned.value = plannedOf(envelope);
      const { usage, message, output, warnings, note_ids } = envelope;
      const known = { usage, message, warnings, note_ids, ...(output !== undefined && { output }) };
      const state = withPlan(this.run.peek(), envelope);
      const waiting = envelope.status === state.status ? envelope.waiting : state.waiting;
      this.#show({ ...state, ...known, waiting, steps: withTimes(state.steps, envelope.steps) });
    } catch {
      // The next event or the end of the run brings another envelope.
    } finally {
      this.#isRefreshing = false;
    }
  }

  #show(run: RunState): void {
    const before = this.run.peek();
    this.run.value = run;
    if (run.status !== before.status) announce(`Run ${run.status}`);
  }
}
