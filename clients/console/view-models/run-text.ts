// A run in words.
import type { Plan, Run, RunState } from '../../sdk/index.ts';
import { waitingText } from '../../waiting-text.ts';
import { timeText } from './figures.ts';

/** A run's subject: its plan's title, its query, or the record of a dossier. */
function titleOf({ input }: Pick<Run, 'input'>, plan: Plan | undefined): string {
  if (input.input_type === 'plan') return input.plan.title;
  if (input.input_type === 'query') return input.query;
  return plan?.title ?? `Dossier: ${Object.values(input.params.entity).join(' ')}`;
}

/** What the status does not say; undefined if it says everything. */
export function statusNote({
  status,
  steps,
  waiting,
}: Pick<RunState, 'status' | 'steps' | 'waiting'>): string | undefined {
  if (status === 'paused') return waitingText(waiting, timeText);
  const running = steps.find((step) => step.status === 'running');
  if (status === 'canceled' && running) return `Finishing step ${running.index + 1}, which is still billed.`;
  return undefined;
}

/** Whether a warning names words of the query that no step uses. */
export function isNotUnderstood({ code }: { code: string }): boolean {
  return code === 'query_partly_understood';
}

const TITLE_CHARACTERS = 80;

/** A title for a heading: the start of the first line. The plan, once known, names the record of a dossier. */
export function shortTitle(run: Pick<Run, 'input'>, plan?: Plan): string {
  const characters = [...titleOf(run, plan).replace(/\s+/g, ' ').trim()];
  const cut = characters.length > TITLE_CHARACTERS;
  return cut ? `${characters.slice(0, TITLE_CHARACTERS).join('').trimEnd()}…` : characters.join('');
}
