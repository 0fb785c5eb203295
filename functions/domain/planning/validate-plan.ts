// The rules for a plan that its schema cannot express: order of indexes, references to earlier steps, sizes.
import { fail } from '#contract/errors.ts';
import type { Issue } from '#contract/issue.ts';
import { memberOf } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import type { Plan, PlanStep } from '#contract/plans.ts';
import { checkRecordParams } from '#contract/record-params.ts';
import { type FixedSource, fixedSource, textSources } from '#contract/source-names.ts';
import type { StepKind } from '#contract/steps.ts';
import { savedPlan } from '#domain/runs/saved-plan.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';

/** Params that name earlier steps, by kind. */
const references = ['steps_to_filter', 'steps_to_transform', 'context_step_ids'] as const;

function issue(
  path: (string | number)[],
  code: string,
  expected: string,
  received: string,
  message: string,
): Issue {
  return { code, expected, received, path, message };
}

function checkIndexes(steps: SavedPlan['steps']): Issue[] {
  return steps.flatMap(({ index }, i) => {
    const before = steps[i - 1];
    if (!before || index > before.index) return [];
    return [
      issue(
        ['plan', 'steps', i, 'index'],
        'invalid_order',
        `> ${before.index}`,
        String(index),
        'Indexes are unique and ascend',
      ),
    ];
  });
}

function checkReferences(steps: SavedPlan['steps']): Issue[] {
  return steps.flatMap(({ index, params }, i) => {
    const earlier = new Set(steps.slice(0, i).map((step) => step.index));
    return references.flatMap((name) => {
      const named = params[name];
      if (!Array.isArray(named)) return [];
      return named.flatMap((reference, k) =>
        typeof reference === 'number' && earlier.has(reference) && reference < index
          ? []
          : [
              issue(
                ['plan', 'steps', i, 'params', name, k],
                'invalid_reference',
                'index of an earlier step',
                String(reference),
                'No earlier step has this index',
              ),
            ],
      );
    });
  });
}

function checkParams(step: PlanStep, i: number, unlimited: boolean): Issue[] {
  const params = step.params ?? {};
  const path = ['plan', 'steps', i, 'params'];
  const bytes = Buffer.byteLength(JSON.stringify(params));
  if (bytes > limits.step_params_max_bytes)
    return [
      issue(
        path,
        'too_big',
        `<= ${limits.step_params_max_bytes} bytes`,
        `${bytes} bytes`,
        'The params of a step are too large',
      ),
    ];
  if (step.kind === 'inject_context' && Object.keys(params).length === 0)
    return [
      issue(
        path,
        'custom',
        'text, entities, note_ids or artifact_ids',
        'none of them',
        'There is nothing to inject',
      ),
    ];
  if (step.kind === 'transform' && !unlimited && (step.params?.limit ?? 0) > limits.transform_default_items)
    return [
      issue(
        [...path, 'limit'],
        'too_big',
        `<= ${limits.transform_default_items}`,
        String(step.params?.limit),
        'More needs config.unlimited_transform',
      ),
    ];
  return checkRecordParams(step, path);
}

/**
 * The plan, ready to run. Throws schema_validation_failed for indexes that do not ascend, references that are not to
 * earlier steps, params over 64 KB, a transform over its cap, an empty injection, and conditions or groups that do not
 * fit their step (rules.md: plan, records 12).
 */
export function validatePlan(plan: Plan, unlimitedTransform: boolean): SavedPlan {
  const saved = savedPlan(plan);
  const issues = [
    ...checkIndexes(saved.steps),
    ...checkReferences(saved.steps),
    ...plan.steps.flatMap((step, i) => checkParams(step, i, unlimitedTransform)),
  ];
  const [first] = issues;
  if (first) throw fail('schema_validation_failed', { param: first.path.join('.'), details: { issues } });
  return saved;
}

/** The steps of a plan, as sent or as saved. */
interface AnyPlan {
  steps: readonly { kind: StepKind; params?: object | undefined }[];
}

/** The fixed sources that a plan reads. */
function fixedSourcesOf({ steps }: AnyPlan): (FixedSource | undefined)[] {
  const reading = steps.filter(({ kind }) => kind === 'fetch' || kind === 'vector_search');
  return reading.map(({ params }) => {
    const source = memberOf(params, 'source');
    return typeof source === 'string' ? fixedSource(source) : undefined;
  });
}

/** Whether a plan reads the global workspace (rules.md: plan 6). */
export function readsGlobal(plan: AnyPlan): boolean {
  return fixedSourcesOf(plan).includes('global');
}

/** Whether a plan reads notes or artifacts, or injects some (rules.md: plan 8). */
export function readsTexts(plan: AnyPlan): boolean {
  const injects = plan.steps.some(
    ({ kind, params }) =>
      kind === 'inject_context' &&
      ['note_ids', 'artifact_ids'].some((name) => memberOf(params, name) !== undefined),
  );
  return injects || textSources.some((source) => fixedSourcesOf(plan).includes(source));
}
