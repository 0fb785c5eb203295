// A run in words.
import type { DetailsOf, Run, RunState } from '../../sdk/index.ts';

/** What the run is about: its plan's title, its query, or its record. */
function titleOf({ input }: Pick<Run, 'input'>): string {
  if (input.input_type === 'plan') return input.plan.title;
  if (input.input_type === 'query') return input.query;
  return `Dossier of ${Object.values(input.params.entity).join(' ')}`;
}

/** What a status alone does not say; undefined where it says all. */
export function statusNote({ status, steps }: Pick<RunState, 'status' | 'steps'>): string | undefined {
  if (status === 'paused') return 'Maintenance: the run continues by itself.';
  const running = steps.find((step) => step.status === 'running');
  if (status === 'canceled' && running) return `Finishing step ${running.index + 1}, which is still billed.`;
  return undefined;
}

/** Why a run does not go on from here, by `details.reason` of the refusal. */
export const notResumable: Readonly<Record<DetailsOf<'run_not_resumable'>['reason'], string>> = {
  not_failed: 'Only a failed run can be resumed, and this one has not failed.',
  canceled: 'A canceled run stays canceled. Rerun it from a step instead.',
  in_progress: 'The run is going on already: somebody resumed it, or it has not ended yet.',
  no_saved_plan:
    'The run failed before it had a plan, so there is nothing to go on with. Create a new run from its input.',
  run_not_terminal: 'The run has not ended yet. Cancel it or wait for its end first.',
};

const TITLE_CHARACTERS = 80;

/** A title for a heading: the first line's first characters. */
export function shortTitle(run: Pick<Run, 'input'>): string {
  const characters = [...titleOf(run).replace(/\s+/g, ' ').trim()];
  const cut = characters.length > TITLE_CHARACTERS;
  return cut ? `${characters.slice(0, TITLE_CHARACTERS).join('').trimEnd()}…` : characters.join('');
}
