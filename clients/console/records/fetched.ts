// Records by conditions: the service reads them with a run of fetch steps alone, which asks no model.
import { isApiError, type Run, RunFailed, type StepItem } from '../../sdk/index.ts';
import type { Session } from '../session.ts';
import { valueAt } from '../view-models/draft.ts';
import { cutTitle, type FetchParams } from '../view-models/record-view.ts';

/** Such a run leaves the list of runs by itself; where runs cost credits, turning a page must not cost them again. */
const RETAIN_SECONDS = { free: 60, paid: 3600 } as const;

/** Whether the workspace draws credits for runs. */
export const drawsCredits = ({ me }: Session): boolean =>
  typeof me.value?.workspace.credits_left === 'number';

/** Runs one fetch step for each of the params, to its end. Throws the client's errors. */
export async function fetched(
  session: Session,
  title: string,
  params: readonly FetchParams[],
  signal: AbortSignal,
): Promise<Run> {
  const { runs } = session.client;
  const plan = {
    title: cutTitle(title),
    steps: params.map((one) => ({ kind: 'fetch' as const, title: 'Records', params: one })),
  };
  const retain_seconds = RETAIN_SECONDS[drawsCredits(session) ? 'paid' : 'free'];
  const { id } = await runs.create({ input_type: 'plan', plan, config: { retain_seconds } }, { signal });
  return runs.wait(id, { signal, throwOnFailure: true });
}

/** How many records met the conditions of a step, those that it did not take included. */
export function matchedIn({ steps, warnings }: Run, index: number): number {
  const cut = warnings.find(({ code, step_index }) => code === 'results_truncated' && step_index === index);
  const matched = valueAt(cut?.details, 'matched');
  return typeof matched === 'number' ? matched : (steps[index]?.items_out ?? 0);
}

/** What a view of records has been answered with. */
export interface Answer {
  /** What was asked. */
  request: string;
  run: string;
  matched: number;
}

interface RecordPage extends Answer {
  items: StepItem[];
}

interface Ask {
  title: string;
  params: FetchParams;
  /** What is asked for where all of that is more than a step can have. */
  less: FetchParams;
  offset: number;
  limit: number;
}

/** A page of the records that a fetch finds; `before` is read again where it answers the same request and is there. */
export async function recordPage(
  session: Session,
  ask: Ask,
  before: Answer | undefined,
  signal: AbortSignal,
): Promise<RecordPage> {
  if (before?.request === JSON.stringify(ask.params)) {
    try {
      return { ...before, items: await itemsOf(session, before.run, ask, signal) };
    } catch (error) {
      if (!isApiError(error, 'run_not_found')) throw error;
    }
  }
  const { run, params } = await fetchedOrLess(session, ask, signal);
  const answer = { request: JSON.stringify(params), run: run.id, matched: matchedIn(run, 0) };
  return { ...answer, items: await itemsOf(session, run.id, ask, signal) };
}

async function fetchedOrLess(session: Session, { title, params, less }: Ask, signal: AbortSignal) {
  const named = `Records: ${title}`;
  try {
    return { params, run: await fetched(session, named, [params], signal) };
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return { params: less, run: await fetched(session, named, [less], signal) };
  }
}

const isTooLarge = (error: unknown) =>
  error instanceof RunFailed && error.run.errors.some(({ code }) => code === 'payload_too_large');

/** A reply has less than a page where records are long. */
async function itemsOf(
  session: Session,
  run: string,
  { offset, limit }: Ask,
  signal: AbortSignal,
): Promise<StepItem[]> {
  const items: StepItem[] = [];
  for (;;) {
    const range = { offset: offset + items.length, limit: limit - items.length };
    const { data, total } = await session.client.runs.items(run, 0, range, { signal });
    items.push(...data);
    if (data.length === 0 || items.length >= limit || offset + items.length >= total) return items;
  }
}
