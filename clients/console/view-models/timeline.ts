// The timeline of a run: the attempts of each step, and a time axis with folded gaps.
import { durationText } from '../../duration-text.ts';
import type { ListedJob, RunEvent, RunState, StepState } from '../../sdk/index.ts';

/** One attempt of a step. Times are epoch ms; a running attempt has no `to`. */
export interface Span {
  attempt: number;
  from: number;
  to?: number;
  /** `lost`: the attempt never ended and another one replaced it. */
  outcome: 'running' | 'completed' | 'failed' | 'canceled' | 'lost';
  /** When transiently failed model calls were retried. */
  retries: number[];
  /** When the run waited for a model or a job; the last one may have no end yet. */
  waits: Wait[];
}

interface Wait {
  from: number;
  to?: number;
  /** The source that was asked; undefined for a wait for a model. */
  source?: string;
}

/**
 * The attempts of each step, by its index. The log has all of them, but writes what happens within moments at one time,
 * so the times of the last one are those of the step, which are also there when the log has expired.
 */
export function spansOf(steps: readonly StepState[], events: readonly RunEvent[]): Map<number, Span[]> {
  const spans = new Map<number, Span[]>();
  for (const event of events) apply(spans, event);
  for (const step of steps) {
    const { index, attempt, started_at: from } = step;
    const logged = spans.get(index) ?? [];
    const last = logged.at(-1);
    // A step that will run again has the times of no attempt.
    if (from === undefined || (last && (last.attempt !== attempt || step.status === 'pending'))) continue;
    const { outcome, to } = endOf(step, last);
    const timed: Span = { retries: [], waits: [], ...last, attempt, from, outcome };
    if (to !== undefined) timed.to = to;
    spans.set(index, [...(last ? logged.slice(0, -1) : logged), timed]);
  }
  return spans;
}

/** The attempts with the times in which they waited for a worker or a person. The jobs come newest first. */
export function withJobs(
  spans: ReadonlyMap<number, readonly Span[]>,
  jobs: readonly ListedJob[],
): Map<number, readonly Span[]> {
  const all = new Map(spans);
  for (const job of jobs.toReversed()) {
    const own = all.get(job.step_index) ?? [];
    // A job belongs to the attempt during which it was made.
    const asking = own.findLast(({ from }) => from <= job.created_at) ?? own[0];
    if (!asking) continue;
    const wait = waitFor(job, asking);
    const waits = [...asking.waits, wait].toSorted((a, b) => a.from - b.from);
    all.set(
      job.step_index,
      own.map((span) => (span === asking ? { ...span, waits } : span)),
    );
  }
  return all;
}

/** Within its attempt; without an end while both go on. */
function waitFor({ created_at, completed_at, status, source }: ListedJob, span: Span): Wait {
  const from = Math.max(created_at, span.from);
  const ended = completed_at ?? (status === 'open' ? span.to : (span.to ?? from));
  return { from, source, ...ending(ended && Math.min(ended, span.to ?? ended)) };
}

/** `waiting for review 2 h`, `waited 2 h for review`: nothing for an attempt that waited for no job. */
export function waitFacts(spans: readonly Span[], now: number): string[] {
  const waits = spans.flatMap((span) => span.waits);
  const sources = [...new Set(waits.flatMap(({ source }) => source ?? []))];
  return sources.map((source) => {
    const own = waits.filter((wait) => wait.source === source);
    const lasted = durationText(own.reduce((sum, { from, to = now }) => sum + Math.max(0, to - from), 0));
    const goesOn = own.some(({ to }) => to === undefined);
    return goesOn ? `waiting for ${source} ${lasted}` : `waited ${lasted} for ${source}`;
  });
}

/** What became of the jobs of a step that were followed by another attempt; the jobs come newest first. */
export function attemptNotes(jobs: readonly ListedJob[], stepIndex: number): string[] {
  const [, ...earlier] = jobs.filter(({ step_index }) => step_index === stepIndex);
  return earlier.toReversed().flatMap(({ attempt, status, message = '' }) => {
    if (status === 'failed') return [`Attempt ${attempt} failed: ${message}`];
    return status === 'replaced' ? [`Attempt ${attempt} was replaced: no heartbeat came.`] : [];
  });
}

/** How an attempt ended and when, by its step; what a canceled run left running, by its log. */
function endOf(
  { status, started_at = 0, duration_ms }: StepState,
  last: Span | undefined,
): Pick<Span, 'outcome' | 'to'> {
  const byStep = status === 'pending' || status === 'skipped' ? 'lost' : status;
  const outcome = last && last.outcome !== 'running' ? last.outcome : byStep;
  if (outcome === 'running') return { outcome };
  return { outcome, to: duration_ms === undefined ? (last?.to ?? started_at) : started_at + duration_ms };
}

/** What a run does before its first step. */
export interface Lead {
  kind: 'understanding' | 'waiting';
  from: number;
  /** None while it goes on. */
  to?: number;
}

/**
 * The time before the first step: a query is understood before its run exists, the run waits for its start, and a query
 * becomes a plan.
 */
export function leadOf(
  { input, created_at, started_at, completed_at, steps }: RunState,
  events: readonly RunEvent[],
): Lead[] {
  const read = events.find(({ event_type }) => event_type === 'run.pre_validation');
  const readMs = read?.event_type === 'run.pre_validation' ? read.data.duration_ms : 0;
  const firstStep = steps.flatMap((step) => step.started_at ?? []).toSorted((a, b) => a - b)[0];
  const end = firstStep ?? completed_at;
  const isPlanned = input.input_type === 'query' && started_at !== undefined;
  const planned: Lead[] = isPlanned ? [{ kind: 'understanding', from: started_at, ...ending(end) }] : [];
  const all: Lead[] = [
    { kind: 'understanding', from: created_at - readMs, to: created_at },
    { kind: 'waiting', from: created_at, ...ending(isPlanned ? started_at : end) },
    ...planned,
  ];
  return all.filter(({ from, to }) => to === undefined || to > from);
}

const ending = (to: number | undefined) => (to === undefined ? {} : { to });

/** `understanding 107 ms · waiting 190 ms`. */
export function leadText(leads: readonly Lead[], now: number): string {
  const of = (kind: Lead['kind']) => leads.filter((lead) => lead.kind === kind);
  return (['understanding', 'waiting'] as const)
    .filter((kind) => of(kind).length > 0)
    .map(
      (kind) => `${kind} ${durationText(of(kind).reduce((sum, { from, to = now }) => sum + to - from, 0))}`,
    )
    .join(' · ');
}

function apply(spans: Map<number, Span[]>, event: RunEvent): void {
  const { event_type, occurred_at: at, data } = event;
  switch (event_type) {
    case 'step.started': {
      const { step_index: index, attempt } = event.data;
      const earlier = spans.get(index) ?? [];
      const last = earlier.at(-1);
      if (last?.attempt === attempt) return;
      if (last) end(last, 'lost', at);
      spans.set(index, [...earlier, { attempt, from: at, outcome: 'running', retries: [], waits: [] }]);
      return;
    }
    case 'run.paused':
      if (event.data.reason === 'maintenance') return;
      for (const span of running(spans)) span.waits.push({ from: at });
      return;
    case 'run.started':
      for (const span of running(spans)) endWait(span, at);
      return;
    case 'step.retrying':
      spans.get(event.data.step_index)?.at(-1)?.retries.push(at);
      return;
    case 'step.completed':
    case 'step.failed': {
      const last = spans.get(event.data.step_index)?.at(-1);
      if (last) end(last, event_type === 'step.failed' ? 'failed' : 'completed', at);
      return;
    }
    case 'run.failed':
    case 'run.canceled': {
      const outcome = data.status === 'failed' ? 'failed' : 'canceled';
      for (const all of spans.values()) for (const span of all) end(span, outcome, at);
    }
  }
}

const running = (spans: Map<number, Span[]>) =>
  [...spans.values()].flat().filter(({ outcome }) => outcome === 'running');

function endWait({ waits }: Span, at: number): void {
  const last = waits.at(-1);
  if (last && last.to === undefined) last.to = at;
}

/** What of a span is work: between its waits. `until` is the end of what has none. */
function workedParts(span: Span, until: number): { from: number; to: number }[] {
  const edges = span.waits.flatMap(({ from, to = until }) => [from, to]);
  const times = [span.from, ...edges, span.to ?? until];
  return times.flatMap((from, i) => {
    const to = times[i + 1];
    return i % 2 === 0 && to !== undefined ? [{ from, to: Math.max(from, to) }] : [];
  });
}

function end(span: Span, outcome: Span['outcome'], at: number): void {
  if (span.outcome !== 'running') return;
  endWait(span, at);
  span.to = at;
  span.outcome = outcome;
}

/** A part of the axis: real time from `from` to `to`, drawn from `start` with this `length`. */
interface Piece {
  from: number;
  to: number;
  start: number;
  length: number;
  folded: boolean;
}

export interface Axis {
  pieces: readonly Piece[];
  /** Drawn length of all pieces. */
  length: number;
}

const SHORTEST_FOLD_MS = 1000;
/** A gap longer than this share of all work is folded to this share. */
const LONG_GAP = 1 / 4;
const FOLDED_GAP = 1 / 16;

/** The axis from `from` to `to` for these spans, with long gaps without work folded. */
export function foldedAxis(spans: readonly Span[], from: number, to: number): Axis {
  const busy = merged(spans.flatMap((span) => workedParts(span, to)));
  const work = busy.reduce((sum, one) => sum + one.to - one.from, 0);
  const longest = work > 0 ? Math.max(SHORTEST_FOLD_MS, work * LONG_GAP) : Number.POSITIVE_INFINITY;
  const edges = [...busy.flatMap((one) => [one.from, one.to]), to];
  const pieces: Piece[] = [];
  let at = from;
  let start = 0;
  for (const [i, edge] of edges.entries()) {
    if (edge <= at) continue;
    // Before the first span and after every second edge, no step is running.
    const folded = i % 2 === 0 && edge - at > longest;
    const length = folded ? Math.max(work * FOLDED_GAP, 1) : edge - at;
    pieces.push({ from: at, to: edge, start, length, folded });
    at = edge;
    start += length;
  }
  return { pieces, length: Math.max(start, 1) };
}

function merged(spans: readonly { from: number; to: number }[]): { from: number; to: number }[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** The position of a moment: 0 is the start of the axis, 1 its end. */
export function positionOn({ pieces, length }: Axis, at: number): number {
  const piece = pieces.find(({ to }) => at <= to) ?? pieces.at(-1);
  if (!piece) return 0;
  const within = Math.min(Math.max((at - piece.from) / (piece.to - piece.from), 0), 1);
  return (piece.start + within * piece.length) / length;
}

/** A time on the axis: ms since its start. */
export interface Mark {
  elapsed: number;
  position: number;
  text: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const INTERVALS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6].map((hours) => hours * HOUR),
];
const MOST_MARKS = 6;
const CLOSEST = 0.1;
/** A mark beyond would be cut by the edge of a phone. */
const LAST = 0.88;

/** `0`, `200 ms`, `1.5 s`, `2 s`, `1 min 30 s`: as many decimals as tell the marks of an interval apart. */
function markText(elapsed: number, interval: number): string {
  if (elapsed === 0) return '0';
  if (elapsed < SECOND || interval >= MINUTE) return durationText(elapsed);
  const decimals = Math.max(0, Math.ceil(-Math.log10(interval / SECOND)));
  const seconds = `${((elapsed % MINUTE) / SECOND).toFixed(decimals)} s`;
  return elapsed < MINUTE ? seconds : `${Math.floor(elapsed / MINUTE)} min ${seconds}`;
}

/** Round times on unfolded parts of the axis, not too close together. */
export function marksOn(axis: Axis): Mark[] {
  const begin = axis.pieces[0]?.from ?? 0;
  const interval = INTERVALS.find((one) => axis.length / one <= MOST_MARKS) ?? 24 * HOUR;
  const marks: Mark[] = [];
  for (const { from, to, folded } of axis.pieces) {
    if (folded) continue;
    for (let k = Math.ceil((from - begin) / interval); begin + k * interval <= to; k += 1) {
      const position = positionOn(axis, begin + k * interval);
      if (position - (marks.at(-1)?.position ?? -1) >= CLOSEST && position <= LAST)
        marks.push({ elapsed: k * interval, position, text: markText(k * interval, interval) });
    }
  }
  return marks;
}
