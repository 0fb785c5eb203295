// The checks of a `POST /runs` body, in their fixed order (rules.md: create 1).

import { fail } from '#contract/errors.ts';
import { memberOf } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { outputLimits } from '#contract/output-schema.ts';
import type { Plan } from '#contract/plans.ts';
import { CreateRun, InputType, type RunConfig } from '#contract/runs.ts';
import { type Caller, requireFeature, requireScope } from '#domain/access/authenticate.ts';
import { readsGlobal, readsTexts, validatePlan } from '#domain/planning/validate-plan.ts';
import { outputPosition } from '#domain/runs/run-output.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import type { SavedPlan } from '#store/runs/inputs.ts';
import { type CallbackUrl, chooseCallbackUrl } from './callback-url.ts';

/** Checks a value against the schema of a create; throws the errors of the contract. */
export type CheckRun = (schema: typeof CreateRun, value: unknown) => CreateRun;

/** A body that passed every check that needs no store. */
export interface CheckedCreate {
  body: CreateRun;
  callback: CallbackUrl | undefined;
}

/** Throws the 400s of an unknown `input_type` or `preset`; an absent one is left to the schema. */
function checkKinds(value: unknown): void {
  const inputType = memberOf(value, 'input_type');
  if (inputType !== undefined && !InputType.safeParse(inputType).success)
    throw fail('unsupported_input_type', {
      param: 'input_type',
      details: { received: inputType, allowed: InputType.options },
    });
  const preset = memberOf(value, 'preset');
  if (inputType === 'preset' && preset !== undefined && preset !== 'dossier')
    throw fail('unsupported_preset', {
      param: 'preset',
      details: { received: preset, allowed: ['dossier'] },
    });
}

/** Throws plan_too_large (rules.md: create 3). */
export function checkPlanSize(plan: unknown): void {
  const steps = memberOf(plan, 'steps');
  if (Array.isArray(steps) && steps.length > limits.plan_max_steps)
    throw fail('plan_too_large', {
      param: 'plan.steps',
      details: { max_steps: limits.plan_max_steps, received: steps.length },
    });
}

/**
 * Checks the shape of the body, then the plan. `check` turns schema failures into errors. Throws the 400s and 422s of
 * the contract (rules.md: create 1).
 */
export function checkCreate(value: unknown, check: CheckRun): CheckedCreate {
  checkBeforeShape(value);
  return checkPlan(check(CreateRun, value));
}

function checkBeforeShape(value: unknown): void {
  checkKinds(value);
  checkPlanSize(memberOf(value, 'plan'));
  checkSchemaSize(memberOf(value, 'output_schema'));
}

/** Refuses a large `output_schema` before its thousands of properties are looked at (rules.md: output 1). */
function checkSchemaSize(schema: unknown): void {
  if (schema === undefined) return;
  if (Buffer.byteLength(JSON.stringify(schema)) <= outputLimits.schema_max_bytes) return;
  const message = `At most ${outputLimits.schema_max_bytes} bytes as compact JSON`;
  throw wrongParam('output_schema', message, 'more', message);
}

function checkPlan(body: CreateRun): CheckedCreate {
  if (body.input_type === 'plan') {
    validatePlan(body.plan, body.config?.unlimited_transform === true);
    checkOutputStep(body);
  }
  return { body, callback: chooseCallbackUrl(body) };
}

/** Throws schema_validation_failed if no step of the plan writes the answer as data (rules.md: output 2). */
function checkOutputStep({ plan, output_schema }: Extract<CreateRun, { input_type: 'plan' }>): void {
  if (!output_schema || outputPosition(plan.steps) >= 0) return;
  const issue = {
    code: 'custom',
    expected: 'a step of kind reconstitute',
    received: 'none',
    path: ['output_schema'],
    message: 'The plan has no step that writes the answer',
  };
  throw fail('schema_validation_failed', { param: 'output_schema', details: { issues: [issue] } });
}

/** Checks the scope of each config flag that is on. Throws forbidden_feature. */
export function checkConfigRights(caller: Caller, config: RunConfig): void {
  if (config.xray) requireScope(caller.key, 'config:xray');
  if (config.global_search) {
    requireScope(caller.key, 'config:global_search');
    requireFeature(caller.workspace, 'GLOBAL_SEARCH');
  }
  if (config.unlimited_transform) requireScope(caller.key, 'config:unlimited_transform');
}

/** Checks the scopes of the key and the features of the workspace that the body needs. Throws forbidden_feature. */
export function checkCreateRights(caller: Caller, { body }: CheckedCreate): void {
  if (body.input_type === 'preset') requireScope(caller.key, 'presets:dossier');
  checkConfigRights(caller, body.config ?? {});
  if (body.input_type === 'plan') checkPlanRights(caller, body.plan, body.config ?? {});
}

/** Checks what a plan reads, with its config, against the scopes of the key. Throws forbidden_feature. */
export function checkPlanRights(caller: Caller, plan: Plan, config: RunConfig): void {
  checkGlobalRights(plan, config);
  checkTextRights(caller, plan);
}

/** Checks that a plan which reads notes or artifacts comes from a key that may (rules.md: plan 8). */
export function checkTextRights({ key }: Caller, plan: Plan | SavedPlan): void {
  if (readsTexts(plan)) requireScope(key, 'artifacts:read');
}

/**
 * Checks that a plan which reads the global workspace comes with a flag that permits it (rules.md: plan 6). Throws
 * forbidden_feature.
 */
function checkGlobalRights(plan: Plan, { xray = false, global_search = false }: RunConfig): void {
  if (readsGlobal(plan) && !xray && !global_search)
    throw fail('forbidden_feature', { details: { required_scope: 'config:global_search' } });
}
