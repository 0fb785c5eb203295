// How JSON is asked of an endpoint: by the best means that it takes. What it refuses or ignores is remembered for the
// life of the process (rules.md: models 5).
import type { ModelFault } from '#contract/model-faults.ts';
import type { Means } from './answer-form.ts';
import { isAboutStructure } from './model-error.ts';

const allMeans: readonly Means[] = ['json_schema', 'json_object', 'prompt'];
/** Answers in a row that are not the JSON asked for, after which an endpoint is known to ignore a means. */
const MISSES_MAX = 2;
/** Statuses of a request that has something wrong in it. */
const WRONG_REQUEST: ReadonlySet<number> = new Set([400, 415, 422]);

export interface StructuredMeans {
  /** The means of the next question. */
  current(): Means;
  /** The means after this one; itself when it is the last. */
  after(means: Means): Means;
  /** The endpoint refused a question by this means. By which to ask again; undefined: the refusal is about else. */
  afterRefusal(means: Means, fault: ModelFault): Means | undefined;
  /** An answer to a question by this means has come; `hasForm`: in the form asked for. By which to ask again. */
  took(means: Means, hasForm: boolean): Means;
}

/** The means of one endpoint, from `start` on. `known`: those whose JSON is known to follow the schema. */
export function structuredMeans(start: Means = 'json_schema', known: Means[] = []): StructuredMeans {
  let at = start;
  let misses = 0;
  const taken = new Set<Means>();
  const proven = new Set(known);
  const after = (means: Means) => allMeans[allMeans.indexOf(means) + 1] ?? means;
  function leave(means: Means): void {
    // Of many calls at once, the first moves on for all.
    if (at !== means) return;
    at = after(means);
    misses = 0;
  }
  return {
    current: () => at,
    after,
    afterRefusal(means, { reason, provider }) {
      const { status_code = 0, message = '' } = provider ?? {};
      if (reason !== undefined || means === 'prompt') return undefined;
      // Some endpoints do not say what is wrong; one that has taken the means before means something else.
      const mayBeMeans = WRONG_REQUEST.has(status_code) && !taken.has(means);
      if (!mayBeMeans && !isAboutStructure(message)) return undefined;
      leave(means);
      return after(means);
    },
    took(means, hasForm) {
      taken.add(means);
      if (hasForm) proven.add(means);
      // Where the form was right once, anything else is the model's mistake: the endpoint does not ignore the means.
      const isMissed = !proven.has(means);
      if (at === means) misses = isMissed ? misses + 1 : 0;
      if (misses >= MISSES_MAX) leave(at);
      // An endpoint that ignores a means shows it by its answers alone: the next one may bring the JSON.
      return isMissed ? after(means) : means;
    },
  };
}
