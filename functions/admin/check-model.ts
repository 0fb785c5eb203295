// `model check`: what each endpoint answers, and how the model does in the quick form of the evaluation.
import { isSimulated } from '#contract/models.ts';
import type { Quick } from '#domain/evaluation/quick.ts';
import { checkModels } from '#models/check-models.ts';
import { configuredModel } from '#models/configured-model.ts';

/** The function ends at 300 s; what is not answered by then is unusable. */
const TRIED_WITHIN_MS = 230_000;
const PARALLEL_MAX = 8;

type Checked = Awaited<ReturnType<typeof checkModels>>;

/**
 * Asks the endpoints, then tries the model if one of them answers (rules.md: models 18). `quick`: false leaves the
 * trial out, true tries the offline model, too.
 */
export async function checkModel(quick: boolean | undefined): Promise<Checked & { quick?: Quick }> {
  const checked = await checkModels();
  if (quick === false) return checked;
  const { model, prices } = configuredModel();
  const answers = checked.endpoints.some((one) => one.answers && one.structured !== undefined);
  if (!(isSimulated(model.name) ? quick : answers)) return checked;
  // Apart in the bundle: no other command needs it.
  const { evaluateQuickly } = await import('#domain/evaluation/quick.ts');
  const parallel = Math.min(model.parallel('filter'), PARALLEL_MAX);
  const signal = AbortSignal.timeout(TRIED_WITHIN_MS);
  return { ...checked, quick: await evaluateQuickly({ model, prices, parallel, signal }) };
}
