// What failed in a run: the run itself, or single items of a step that went on without them.
import type { ErrorCode, Run, RunError, Warning } from '../../sdk/index.ts';
import { valueAt } from './draft.ts';
import { isNotUnderstood } from './run-text.ts';

/** One item of a step that could not be worked on. */
export interface FailedItem {
  id: string;
  /** Its position among the items of the step. */
  index: number | undefined;
  code: ErrorCode;
  message: string;
}

/** The items of one step that failed. */
export interface FailedItems {
  stepIndex: number;
  /** How many failed, of how many; unknown while the step goes on. */
  failed: number;
  total: number | undefined;
  /** Those that the run lists, which may be fewer. */
  items: readonly FailedItem[];
}

const idIn = ({ details }: RunError) => valueAt(details, 'item_id');

/** The errors of the run, without those of single items. The status already says that a run was canceled. */
export function ownErrors(errors: readonly RunError[]): RunError[] {
  return errors.filter((error) => typeof idIn(error) !== 'string' && error.code !== 'canceled_by_user');
}

/** The items that failed, by step. */
export function failedItems({ errors, warnings }: Pick<Run, 'errors' | 'warnings'>): FailedItems[] {
  const byStep = new Map<number, FailedItem[]>();
  for (const error of errors) {
    const [id, index] = [idIn(error), valueAt(error.details, 'item_index')];
    const stepIndex = valueAt(error.details, 'step_index');
    if (typeof id !== 'string' || typeof stepIndex !== 'number') continue;
    const { code, message } = error;
    const item = { id, index: typeof index === 'number' ? index : undefined, code, message };
    byStep.set(stepIndex, [...(byStep.get(stepIndex) ?? []), item]);
  }
  return [...byStep].map(([stepIndex, items]) => {
    const counts = warnings.find((one) => countsItems(one, stepIndex))?.details;
    const [failed, total] = [valueAt(counts, 'failed'), valueAt(counts, 'total')];
    return {
      stepIndex,
      failed: typeof failed === 'number' ? failed : items.length,
      total: typeof total === 'number' ? total : undefined,
      items,
    };
  });
}

const countsItems = ({ code, step_index }: Warning, stepIndex: number) =>
  code === 'partial_failure' && step_index === stepIndex;

/** The warnings that neither the reading of the question nor the line of failed items says. */
export function otherWarnings(run: Pick<Run, 'errors' | 'warnings'>): Warning[] {
  const said = failedItems(run);
  return run.warnings.filter(
    (one) => !isNotUnderstood(one) && !said.some(({ stepIndex }) => countsItems(one, stepIndex)),
  );
}

/** `23 of 24 items`; `1 item failed` while the total is not known. */
export function successText({ failed, total }: FailedItems): string {
  if (total !== undefined)
    return `${(total - failed).toLocaleString('en')} of ${total.toLocaleString('en')} items`;
  return failed === 1 ? '1 item failed' : `${failed.toLocaleString('en')} items failed`;
}

/** The messages of the items, each once. */
export const reasonsOf = ({ items }: FailedItems): string[] => [
  ...new Set(items.map(({ message }) => message)),
];
