// Whether an endpoint of a model may be asked now: the state that all processes share, and its transitions, pure
// (rules.md: models 19, models 20).
import * as z from 'zod';

/** Of an endpoint that has been away. */
export const EndpointState = z.object({
  /** How many times in a row it went away or a probe failed; 0: it answers. */
  times: z.number(),
  /** When the first of these times began, epoch ms. */
  since: z.number(),
  /** When the last one began: a failure of a call that began before says nothing more. */
  went_at: z.number(),
  /** No call before then. */
  until: z.number(),
  /** The call that finds out whether it is back, and until when it alone may. */
  probe: z.object({ id: z.string(), until: z.number() }).optional(),
});
export type EndpointState = z.infer<typeof EndpointState>;

/** What a caller may do with an endpoint. `until`: epoch ms, when to look again. */
export type WorkspaceUsage =
  | { kind: 'answers' }
  | { kind: 'due' }
  | { kind: 'away' | 'probed'; until: number };

/** A caller that dies during its probe loses it after this time; a living one takes it again and again. */
export const PROBE_MS = 20_000;

/** What the state of an endpoint allows at a time. */
export function usageOfWorkspace(state: EndpointState | undefined, now: number): WorkspaceUsage {
  if (!state || state.times === 0) return { kind: 'answers' };
  if (now < state.until) return { kind: 'away', until: state.until };
  if (state.probe && now < state.probe.until) return { kind: 'probed', until: state.probe.until };
  return { kind: 'due' };
}

/** A change of the state; undefined: it has none to make. */
type Change = EndpointState | undefined;

/** How long a call and the endpoint's own wish keep it away. */
export interface Failure {
  now: number;
  /** For how long the n-th time in a row. */
  awayMs(times: number): number;
}

/** After the last try of a call that began at `began`. */
export function afterTries(
  state: EndpointState | undefined,
  began: number,
  { now, awayMs }: Failure,
): Change {
  if (state && (state.times > 0 || state.went_at >= began)) return undefined;
  return { times: 1, since: now, went_at: now, until: now + awayMs(1) };
}

/** `id` is the one call that may be made. */
export function claimed(state: EndpointState | undefined, id: string, now: number): Change {
  if (!state || usageOfWorkspace(state, now).kind !== 'due') return undefined;
  return { ...state, probe: { id, until: now + PROBE_MS } };
}

const isProbe = (state: EndpointState | undefined, id: string): state is EndpointState =>
  state?.probe?.id === id;

/** The probe goes on. */
export function extended(state: EndpointState | undefined, id: string, now: number): Change {
  return isProbe(state, id) ? { ...state, probe: { id, until: now + PROBE_MS } } : undefined;
}

/** The probe had an answer. */
export function succeeded(state: EndpointState | undefined, id: string): Change {
  if (!isProbe(state, id)) return undefined;
  const { probe: _, ...rest } = state;
  return { ...rest, times: 0 };
}

/** The probe failed: away again, for longer. */
export function probeFailed(state: EndpointState | undefined, id: string, { now, awayMs }: Failure): Change {
  if (!isProbe(state, id)) return undefined;
  const { probe: _, times, ...rest } = state;
  return { ...rest, times: times + 1, went_at: now, until: now + awayMs(times + 1) };
}

/** The probe was not made: the next caller may make it. */
export function released(state: EndpointState | undefined, id: string): Change {
  if (!isProbe(state, id)) return undefined;
  const { probe: _, ...rest } = state;
  return rest;
}
