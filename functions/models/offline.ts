// The offline model: deterministic, without network, doing real work on the data it is given (Contract 3).
import type {
  CallContext,
  Embeddings,
  InputOf,
  Model,
  ModelReply,
  OutputOf,
  TaskKind,
  TokenUsage,
} from './model.ts';
import { analyze } from './offline/analyze.ts';
import { discover } from './offline/discover.ts';
import { dossierSection } from './offline/dossier-section.ts';
import { embedText } from './offline/embedding.ts';
import { filter } from './offline/filter.ts';
import { plan } from './offline/plan.ts';
import { reconstitute } from './offline/reconstitute.ts';
import { transform } from './offline/transform.ts';
import { readTriggers, rehearse, type Triggers, withoutTriggers } from './offline/triggers.ts';
import { understand } from './offline/understand.ts';

/** How a task is done: which of its texts may carry triggers, and the work on an input cleared of them. */
interface Craft<K extends TaskKind> {
  /** The text whose triggers steer the call. */
  steering(input: InputOf<K>): string;
  cleared(input: InputOf<K>, text: string): InputOf<K>;
  work(input: InputOf<K>, triggers: Triggers): OutputOf<K>;
}

type Instructed = 'filter' | 'transform' | 'analyze' | 'discover';

function instructed<K extends Instructed>(work: (input: InputOf<K>) => OutputOf<K>): Craft<K> {
  return {
    steering: (input) => input.instructions,
    cleared: (input, instructions) => ({ ...input, instructions }),
    work,
  };
}

const crafts: { [K in TaskKind]: Craft<K> } = {
  understand: {
    steering: ({ query }) => query,
    cleared: (input, query) => ({ ...input, query }),
    work: understand,
  },
  // A query's triggers steer its understanding alone (Contract 3): the planner only strips them.
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
  reconstitute: {
    steering: ({ instructions }) => instructions,
    cleared: (input, instructions) => ({
      ...input,
      instructions,
      run_title: withoutTriggers(input.run_title),
    }),
    work: reconstitute,
  },
  dossier_section: {
    steering: ({ heading }) => heading,
    cleared: (input, heading) => ({ ...input, heading }),
    work: dossierSection,
  },
};

/** The offline model, priced as `offline`. Same input, same output; its embeddings are free and no provider calls. */
export function offlineModel(): Model {
  return { name: 'offline', embeddingName: null, call, embed };
}

async function call<K extends TaskKind>(
  task: K,
  input: InputOf<K>,
  context: CallContext,
  signal: AbortSignal,
): Promise<ModelReply<OutputOf<K>>> {
  const craft: Craft<K> = crafts[task];
  const { triggers, text } = readTriggers(craft.steering(input));
  await rehearse(triggers, task === 'transform' ? context : { ...context, item_index: undefined }, signal);
  const cleared = craft.cleared(input, text);
  const output = craft.work(cleared, triggers);
  return { output, usages: [usageOf(cleared, output, triggers)] };
}

/** Four characters are a token, unless a trigger says otherwise. */
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

async function embed(texts: string[]): Promise<Embeddings> {
  return { vectors: texts.map(embedText), usages: [] };
}
