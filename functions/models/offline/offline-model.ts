// The offline model: deterministic, without network, working on the real data it is given (rules.md: offline).
import { messagesFor } from '#models/ai-sdk/prompt.ts';
import {
  type Attempt,
  type CallContext,
  type Exchange,
  type Model,
  ModelError,
  type TokenUsage,
} from '#models/model.ts';
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/task-registry.ts';
import { analyze } from './analyze.ts';
import { discover } from './discover.ts';
import { dossierSection } from './dossier-section.ts';
import { offlineEmbedding } from './embedding.ts';
import { filter } from './filter.ts';
import { offlineLimits } from './limits.ts';
import { plan } from './plan.ts';
import { reconstitute } from './reconstitute.ts';
import { reconstituteData } from './reconstitute-data.ts';
import { transform } from './transform.ts';
import { obeyTriggers, readTriggers, type Triggers, withoutTriggers } from './triggers.ts';
import { understand } from './understand.ts';

/** How each task is done: the text whose triggers steer the call, and the work itself. */
const offlineTasks: {
  [K in TaskKind]: {
    steering(input: InputOf<K>): string;
    work(input: InputOf<K>, triggers: Triggers): OutputOf<K>;
  };
} = {
  understand: { steering: ({ query }) => query, work: understand },
  // A query's triggers affect its understanding only (rules.md: offline 3).
  plan: { steering: () => '', work: plan },
  filter: { steering: instructionsOf, work: filter },
  transform: { steering: instructionsOf, work: transform },
  analyze: { steering: instructionsOf, work: analyze },
  discover: { steering: instructionsOf, work: discover },
  reconstitute: { steering: instructionsOf, work: reconstitute },
  reconstitute_data: { steering: instructionsOf, work: reconstituteData },
  dossier_section: { steering: ({ heading }) => heading, work: dossierSection },
};

function instructionsOf({ instructions }: { instructions: string }): string {
  return instructions;
}

/** The input with its texts as the work reads them: a title may be a query with triggers. */
function withoutTriggersIn<T extends object>(input: T): T {
  const texts = Object.entries(input).filter(([, text]) => typeof text === 'string');
  return { ...input, ...Object.fromEntries(texts.map(([name, text]) => [name, withoutTriggers(text)])) };
}

const NAME = 'offline';

/** The offline model, priced as `offline`. Same input, same output; embeddings are free and not provider calls. */
export function offlineModel(): Model {
  return {
    name: NAME,
    names: [NAME],
    namesFor: () => [NAME],
    parallel: () => Number.POSITIVE_INFINITY,
    limits: async () => offlineLimits,
    call,
    ...offlineEmbedding,
  };
}

async function call<K extends TaskKind>(
  task: K,
  input: InputOf<K>,
  context: CallContext,
  { signal, onReply, onExchange }: Attempt,
): Promise<OutputOf<K>> {
  const { steering, work } = offlineTasks[task];
  const { triggers } = readTriggers(steering(input));
  const at = Date.now();
  // What a provider's model would be sent.
  const report = (rest: Pick<Exchange, 'answer' | 'usage' | 'outcome'>) =>
    onExchange?.({ at, ms: Date.now() - at, model: NAME, messages: messagesFor(task, input), ...rest });
  try {
    await obeyTriggers(
      triggers,
      task === 'transform' ? context : { ...context, item_index: undefined },
      signal,
    );
  } catch (error) {
    report({ answer: null, usage: null, outcome: outcomeOf(error) });
    throw error;
  }
  const plainInput = withoutTriggersIn(input);
  const output = work(plainInput, triggers);
  const usage = usageOf(plainInput, output, triggers);
  onReply(usage);
  report({ answer: JSON.stringify(output), usage, outcome: 'answered' });
  return output;
}

const outcomeOf = (error: unknown) => (error instanceof ModelError ? error.fault.cause : ('away' as const));

/** Four characters count as one token unless a trigger says otherwise. */
function usageOf(input: unknown, output: unknown, triggers: Triggers): TokenUsage | null {
  if (triggers.no_usage) return null;
  if (triggers.tokens) return triggers.tokens;
  return {
    input_tokens: Math.ceil(JSON.stringify(input).length / 4),
    cached_input_tokens: 0,
    output_tokens: Math.ceil(JSON.stringify(output).length / 4),
    thinking_tokens: 0,
  };
}
