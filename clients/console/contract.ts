// The only import of the service's contract, which the form of a new run validates with. Loaded with that page only.
import './zod-without-eval.ts';

export { FieldSort, Measure, operators, sortWords } from '../../functions/contract/conditions.ts';
export { paramTexts } from '../../functions/contract/param-texts.ts';
export { CreateRun as CreateRunSchema } from '../../functions/contract/runs.ts';
export { type ParamsOf, type StepKind, stepTable } from '../../functions/contract/steps.ts';
