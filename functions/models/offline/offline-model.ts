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
import type { InputOf, OutputOf, TaskKind } from '#models/tasks/index.ts';
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

/** How a task is done: which of its texts may carry triggers, and the work itself. */
interface OfflineTask<K extends TaskKind> {
  /** The text whose triggers steer the call. */
  steering(input: InputOf<K>): string;
  cleared(input: InputOf<K>, text: string): InputOf<K>;
  work(input: InputOf<K>, triggers: Triggers): OutputOf<K>;
}

/** Tasks whose instructions alone may carry triggers. */
type Instructed = { [K in TaskKind]: InputOf<K> extends { instructions: string } ? K : never }[TaskKind];

function instructed<K extends Instructed>(work: (input: InputOf<K>) => OutputOf<K>): OfflineTask<K> {
  return {
    steering: (input) => input.instructions,
    cleared: (input, instructions) => ({ ...input, instructions }),
    work,
  };
}

/** An answer also reads the run's title, which may be a query with triggers. */
function answering<K extends 'reconstitute' | 'reconstitute_data'>(
  work: (input: InputOf<K>) => OutputOf<K>,
): OfflineTask<K> {
  return {
    steering: ({ instructions }) => instructions,
    cleared: (input, instructions) => ({
      ...input,
      instructions,
      run_title: withoutTriggers(input.run_title),
    }),
    work,
  };
}

const offlineTasks: { [K in TaskKind]: OfflineTask<K> } = {
  understand: {
    steering: ({ query }) => query,
    cleared: (input, query) => ({ ...input, query }),
    work: understand,
  },
  // A query's triggers affect its understanding only (rules.md: offline 3): the planner just strips them.
  plan: {
    steering: () => '',
    cleared: (input) => ({
      ...input,
      query: withoutTriggers(input.query),
      interpretation: withoutTriggers(input.interpretation),
    }),
    work: plan,
  },
  filter: instructed<'filter'>(filter),
  transform: instructed<'transform'>(transform),
  analyze: instructed<'analyze'>(analyze),
  discover: instructed<'discover'>(discover),
  reconstitute: answering<'reconstitute'>(reconstitute),
  reconstitute_data: answering<'reconstitute_data'>(reconstituteData),
  dossier_section: {
    steering: ({ heading }) => heading,
    cleared: (input, heading) => ({ ...input, heading }),
    work: dossierSection,
  },
};

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
  const { steering, cleared, work }: OfflineTask<K> = offlineTasks[task];
  const { triggers, text } = readTriggers(steering(input));
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
  const plainInput = cleared(input, text);
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
