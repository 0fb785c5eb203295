// Records by conditions: the service reads them with a run of fetch steps alone, which asks no model.
import { isApiError, type Run, type StepItemList } from '../../sdk/index.ts';
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

export interface RecordPage extends Answer {
  items: StepItemList['data'];
}

/** A page of the records that a fetch finds; `before` is read again where it answers the same request and is there. */
export async function recordPage(
  session: Session,
  ask: { title: string; params: FetchParams; offset: number; limit: number },
  before: Answer | undefined,
  signal: AbortSignal,
): Promise<RecordPage> {
  const { title, params, offset, limit } = ask;
  const request = JSON.stringify(params);
  const read = async (answer: Answer) => {
    const { data } = await session.client.runs.items(answer.run, 0, { offset, limit }, { signal });
    return { ...answer, items: data };
  };
  if (before?.request === request) {
    try {
      return await read(before);
    } catch (error) {
      if (!isApiError(error, 'run_not_found')) throw error;
    }
  }
  const run = await fetched(session, `Records: ${title}`, [params], signal);
  return read({ request, run: run.id, matched: matchedIn(run, 0) });
}
