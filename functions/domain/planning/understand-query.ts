// Understands a query before its run exists: an ambiguous one is refused or interpreted.
import { type ErrorReason, reasonTexts } from '#contract/error-reasons.ts';
import { fail } from '#contract/errors.ts';
import type { Warning } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { callToKeep } from '#domain/billing/saved-try.ts';
import { tracedTry } from '#domain/billing/traced-try.ts';
import { add, spentOn, unpricedWarnings } from '#domain/billing/usage.ts';
import { askModel, requireAnswering } from '#domain/models/ask-model.ts';
import { REQUEST_WAIT_MS, requestError } from '#domain/records/records-client.ts';
import { modelRefusal, modelsAwayRefusal } from '#domain/runs/model-errors.ts';
import type { ConfiguredModel } from '#models/configured-model.ts';
import { askInHalves } from '#models/halving.ts';
import { loadBearing } from '#models/load-bearing.ts';
import { type Attempt, type Exchange, type Model, ModelError, type TokenUsage } from '#models/model.ts';
import { ModelsAway } from '#models/models-away.ts';
import { priceOf } from '#models/pricing.ts';
import { promptBytes } from '#models/prompt-bytes.ts';
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { cut } from '#platform/cut.ts';
import { withinTime } from '#platform/deadline.ts';
import { describe, log } from '#platform/log.ts';
import { addCost, type Spender } from '#store/money/costs.ts';
import type { ModelTry } from '#store/runs/model-tries.ts';
import { nothingSpent, type Spent } from '#store/runs/run-record.ts';
import type { CallToKeep } from '#store/runs/saved-calls.ts';
import { knownWorkspace } from './known-workspace.ts';

export interface Understanding {
  interpretation: string;
  warnings: Warning[];
  spent: Spent;
  duration_ms: number;
  /** The calls that it took, for the trace of the run. */
  tries: ModelTry[];
  /** Their requests, if the run keeps them. */
  saved: CallToKeep[];
}

type Verdict = OutputOf<'understand'>;

/** A query, how to read it, and who pays. */
interface Asked {
  workspace_id: string;
  payer: Spender;
  has_sources: boolean;
  reads_texts: boolean;
  query: string;
  strict_mode: boolean;
  keep_calls: boolean;
}

/** The attempt at an endpoint. */
type AttemptAt = (endpoint: string) => Attempt;

/** Asks the model. While all endpoints are away, nothing else is looked at first (rules.md: query 8). */
async function ask(
  model: Model,
  { workspace_id, has_sources, reads_texts, query, strict_mode }: Asked,
  { attemptAt, signal, tried }: { attemptAt: AttemptAt; signal: AbortSignal; tried(one: ModelTry): void },
): Promise<{ verdict: Verdict; types: string[] }> {
  const names = model.namesFor('understand');
  await requireAnswering(names);
  const asked = { workspace_id, has_sources, reads_texts, query, asked_at: Date.now() };
  const known = await knownWorkspace(asked, REQUEST_WAIT_MS).catch((error: unknown) => {
    throw requestError(error);
  });
  const prompt_bytes = promptBytes(await model.limits('understand'));
  const input = { query, strict_mode, ...known, ...(Number.isFinite(prompt_bytes) && { prompt_bytes }) };
  const askOf = (part: InputOf<'understand'>) =>
    askModel(
      names,
      (name, calls_before, begins) => {
        const context = { endpoint: name, step_attempt: 1, calls_before };
        const call = (one: Attempt) => model.call('understand', part, context, one);
        return tracedTry({ model: name, task: 'understand' }, { ...attemptAt(name), begins }, call, tried);
      },
      { signal },
    );
  // A shorter outline leaves out no item.
  const verdict = await askInHalves('understand', input, askOf, () => undefined);
  return { verdict, types: known.shape.types.map(({ type }) => type) };
}

/** Bounds a sentence of the model, which the run record stores. */
const bounded = (sentence: string) => cut(sentence, limits.query_max_characters);

/**
 * Strict mode refuses an ambiguous query; else it proceeds with warnings (rules.md: query 2, query 3, query 5). A word
 * that the answer depends on is refused in either mode (rules.md: query 9).
 */
function judge(verdict: Verdict, types: readonly string[], strict: boolean): Warning[] {
  const words = wordsOf(verdict);
  if (loadBearing(words, types).length > 0) throw ambiguous('not_understood', words, types);
  const partly = words.length > 0 ? [partlyUnderstood(words)] : [];
  if (verdict.verdict === 'clear') return partly;
  const isUnderstood = verdict.verdict !== 'ambiguous' || verdict.reason !== 'not_understood';
  if (!strict && isUnderstood)
    return [{ code: 'assumed_interpretation', message: bounded(verdict.interpretation) }, ...partly];
  if (!strict) return partly;
  if (verdict.verdict === 'ambiguous')
    throw ambiguous(verdict.reason, words, types, bounded(verdict.interpretation));
  const { question, candidate_ids } = verdict;
  throw fail('entity_ambiguous', { param: 'query', details: { question: bounded(question), candidate_ids } });
}

const ambiguous = (
  reason: ErrorReason<'query_ambiguous'>,
  words: string[],
  types: readonly string[],
  interpretation = '',
) =>
  fail('query_ambiguous', {
    message: messageOf(reason, words, types, interpretation),
    param: 'query',
    details: { reason, ...(words.length > 0 && { words }) },
  });

/** The words that no step uses, as many and as much of each as a warning holds. */
const wordsOf = ({ not_understood }: Verdict): string[] =>
  not_understood
    .slice(0, limits.warning_refs_max)
    .map((word) => cut(word, limits.warning_ref_max_characters));

const partlyUnderstood = (words: string[]): Warning => ({
  code: 'query_partly_understood',
  message: `Not understood, and in no step: ${words.join(', ')}.`,
  details: { words },
});

/** The meaning of the reason, and the words, types or the interpretation that it is about. */
function messageOf(
  reason: ErrorReason<'query_ambiguous'>,
  words: string[],
  types: readonly string[],
  interpretation: string,
): string {
  const text = reasonTexts.get('query_ambiguous')?.[reason] ?? '';
  if (reason === 'multiple_interpretations' && interpretation !== '') return `${text} ${interpretation}`;
  if (reason === 'missing_subject' || reason === 'too_broad') return `${text} ${typesText(types)}`;
  return reason === 'not_understood' ? `${text} Not understood: ${words.join(', ')}.` : text;
}

/** More types are not named. */
const TYPES_NAMED = 20;

function typesText(types: readonly string[]): string {
  if (types.length === 0) return 'The workspace has no records yet.';
  const named = types.slice(0, TYPES_NAMED).map((type) => cut(type, limits.warning_ref_max_characters));
  return `There are records of these types: ${named.join(', ')}${types.length > TYPES_NAMED ? ' and more' : ''}.`;
}

/** The error of a query not understood within 45 s (rules.md: query 1). */
export function tooLate(unfinished?: Promise<void>): Error {
  const timeout_ms = limits.understanding_timeout_ms;
  const details = { dependency: 'model' as const, timeout_ms };
  return fail('upstream_timeout', { details, ...(unfinished && { unfinished }) });
}

/** The result of `ask` by `dueAt` (epoch ms), else throws what `late` makes, even when `ask` ignores the signal. */
export async function inTime<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  dueAt: number,
  late: () => Error = tooLate,
): Promise<T> {
  const left = Math.max(0, dueAt - Date.now());
  const signal = AbortSignal.timeout(left);
  const reply = ask(signal).catch((error: unknown) => {
    throw signal.aborted ? late() : error;
  });
  return withinTime(reply, left, late);
}

/** A query is understood in one call, outside the steps. */
const BEFORE_ITS_RUN = { step_index: -1, attempt: 1, call: 0, task: 'understand' } as const;

/** How long a late answer is awaited, for its cost alone: the function ends 10 s after the limit. */
const LATE_MS = 7000;

/**
 * Understands a query by `dueAt` (epoch ms). The run that follows counts the call, but its cost is spent at once: a
 * refused request pays too, and so does one whose answer comes late (rules.md: usage 6). Throws query_ambiguous,
 * entity_ambiguous, upstream_timeout (model or records), and a refusal for each way in which a model fails.
 */
export async function understandQuery(
  asked: Asked,
  { model, prices }: ConfiguredModel,
  dueAt: number,
): Promise<Understanding> {
  const startedAt = Date.now();
  const tries: ModelTry[] = [];
  const tried = (one: ModelTry) => void tries.push(one);
  const saved: CallToKeep[] = [];
  const onExchange = (one: Exchange) => void saved.push(callToKeep(BEFORE_ITS_RUN, one, prices));
  let spent = nothingSpent;
  let isLate = false;
  const requests: Promise<unknown>[] = [];
  const lateCosts: Promise<void>[] = [];
  const onReply = (usage: TokenUsage | null, endpoint: string) => {
    const [first] = model.namesFor('understand');
    const instead_of = endpoint === first ? undefined : first;
    const more = spentOn(usage, priceOf(prices, endpoint), { model: endpoint, instead_of });
    // The request is refused by now, and its costs are added: a late answer counts on the day alone.
    if (isLate) lateCosts.push(spend(more).catch(notCounted));
    else spent = add(spent, more);
  };
  const notCounted = (error: unknown) => {
    const { workspace_id } = asked;
    log.error('a late answer is not counted', { workspace_id, error: describe(error) });
  };
  const spend = ({ cost_pico_usd }: Spent) =>
    addCost({ ...asked.payer, ...asked }, BigInt(cost_pico_usd), Date.now());
  const late = {
    signal: AbortSignal.timeout(Math.max(0, dueAt - Date.now()) + LATE_MS),
    onRequest: (reply: Promise<unknown>) => void requests.push(reply),
  };
  const countLate = async () => {
    await Promise.allSettled(requests);
    await Promise.all(lateCosts);
  };
  const attempt = { late, ...(asked.keep_calls && { onExchange }) };
  const { verdict, types } = await inTime(
    (signal) => {
      const attemptAt = (endpoint: string) => ({
        ...attempt,
        signal,
        onReply: (usage: TokenUsage | null) => onReply(usage, endpoint),
      });
      return ask(model, asked, { attemptAt, signal, tried });
    },
    dueAt,
    () => tooLate(countLate()),
  )
    .catch((error: unknown) => {
      if (error instanceof ModelsAway) throw modelsAwayRefusal(error);
      throw error instanceof ModelError ? modelRefusal(error) : error;
    })
    .finally(() => {
      isLate = true;
      return spend(spent);
    });
  const warnings = judge(verdict, types, asked.strict_mode);
  return {
    interpretation: bounded(verdict.interpretation),
    warnings: [...warnings, ...unpricedWarnings(spent.unpriced_calls)],
    spent,
    duration_ms: Date.now() - startedAt,
    tries,
    saved,
  };
}
