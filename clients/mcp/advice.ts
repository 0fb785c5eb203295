// What an agent should do about an error: the remedy of its reason, else that of its code, and the tool that helps.
import type { ErrorType } from '../sdk/index.ts';
import contract from './contract.json' with { type: 'json' };

interface Remedy {
  remedy: string;
  reasons?: Readonly<Record<string, string>>;
}

const remedies: Readonly<Record<string, Remedy>> = contract.remedies;

/** The tools that help with errors of a type. */
const tools: Partial<Record<ErrorType, string>> = {
  not_found: 'Look the id up with run_list, job_list or entity_search.',
  plan_error: 'plan_check tries a plan without running it.',
  rate_limit: 'Wait as long as retry_after_ms says before you call again.',
  unavailable: 'Call again in a while.',
  timeout: 'Call again in a while.',
};

/** The advice on an error of this code. */
export function adviceOn(code: string, error?: { type: ErrorType; details?: unknown }): string {
  const { remedy = 'Call again; if it persists, give the user the request id.', reasons = {} } =
    remedies[code] ?? {};
  const reason: unknown = error?.details ? Reflect.get(Object(error.details), 'reason') : undefined;
  const own = typeof reason === 'string' && Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  const help = error && tools[error.type];
  return [own ?? remedy, ...(help === undefined ? [] : [help])].join(' ');
}
