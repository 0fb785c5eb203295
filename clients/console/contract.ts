// The one door to the service's contract: the form of a new run checks with it before the service does. It is loaded with that page alone.
import './zod-without-eval.ts';

export { measureOps, operators, sortWords } from '../../functions/contract/conditions.ts';
export { CreateRun as CreateRunSchema } from '../../functions/contract/runs.ts';
export {
  type ParamsOf,
  paramTexts,
  type StepKind,
  stepTable,
} from '../../functions/contract/steps.ts';
