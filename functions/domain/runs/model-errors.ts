// Failed model calls as errors of the contract (rules.md: models 3).
import { type ApiError, fail } from '#contract/errors.ts';
import type { ModelCause, ModelFault } from '#contract/model-faults.ts';
import type { ModelError } from '#models/model.ts';
import type { ModelsAway } from '#models/models-away.ts';

type ModelErrorCode = 'model_unavailable' | 'model_refused' | 'model_answer_unusable';

const codes: Record<ModelCause, ModelErrorCode> = {
  away: 'model_unavailable',
  refused: 'model_refused',
  cut_off: 'model_answer_unusable',
  filtered: 'model_answer_unusable',
  unusable: 'model_answer_unusable',
};

export const modelErrorCode = ({ cause }: ModelFault): ModelErrorCode => codes[cause];

/** The details of a code: a refusal also says which model refused, and with which status. */
export function modelErrorDetails({ cause, provider, model, reason }: ModelFault) {
  const status_code = provider?.status_code;
  return {
    ...{ cause },
    ...(provider && { provider: { ...provider } }),
    ...(cause === 'refused' && {
      ...(model !== undefined && { model }),
      ...(status_code !== undefined && { status_code }),
      ...(reason !== undefined && { reason }),
    }),
  };
}

/** A failed model call as the refusal of a request. */
export function modelRefusal({ message, fault }: ModelError): ApiError {
  return fail(modelErrorCode(fault), { message, details: modelErrorDetails(fault) });
}

/** What is known of why no model could be asked. */
export const modelsAwayDetails = ({ last }: ModelsAway) =>
  modelErrorDetails(last?.fault ?? { cause: 'away' });

/** No model could be asked: the refusal of a request says when one is worth while. */
export function modelsAwayRefusal(away: ModelsAway): ApiError {
  const { message, until } = away;
  return fail('model_unavailable', { message, details: modelsAwayDetails(away), retry_at: until });
}
