// Whether the answers to the tasks are usable in form: the same prompts with several seeds, by each means of structured
// output.
import { endpointDefaults } from '#contract/model-endpoints.ts';
import { modelItems, recordsToAsk } from '#domain/evaluation/records-to-ask.ts';
import { companies } from '#domain/evaluation/sample-companies.ts';
import { tickets } from '#domain/evaluation/sample-tickets.ts';
import { type Model, ModelError } from '#models/model.ts';
import type { InputOf, TaskKind } from '#models/tasks/task-registry.ts';
import type { LoggingProxy } from './logging-proxy.ts';

const items = modelItems(companies);
const query = 'companies in Berlin with more than 100 employees';

/** A small prompt for each task. */
const inputs: { [K in 'understand' | 'filter' | 'transform' | 'reconstitute' | 'discover']: InputOf<K> } = {
  understand: { query, strict_mode: true, ...recordsToAsk(companies).known(query) },
  filter: { instructions: 'companies in Germany', items: items.slice(0, 6) },
  transform: {
    instructions: 'What the ticket is about, and how the customer feels.',
    item: modelItems(tickets)[4] ?? { id: '', type: 'ticket', name: '', fields: {} },
    output_fields: ['topic', 'mood'],
  },
  reconstitute: {
    ...{
      instructions: 'Compare the companies.',
      run_title: 'Companies',
      items: items.slice(0, 4),
      context: [],
    },
    ...{ found: [{ type: 'company', count: 4 }], text_titles: ['Size', 'Age'], table_wanted: true },
    max_tokens: 300,
  },
  discover: {
    ...{ instructions: 'Companies that do similar work.', items: items.slice(0, 2), limit: 3 },
    candidates: items.slice(2, 8).map((item) => ({ ...item, links: [] })),
  },
};
const formTasks = Object.keys(inputs) as (keyof typeof inputs)[];

export interface Forms {
  task: TaskKind;
  asked: number;
  usable: number;
  /** Requests that were sent for them. */
  requests: number;
  faults: string[];
}

/** Asks each task with each of the seeds, until it is over. A fault that is none of the model's is thrown. */
export async function askForms(
  model: Model,
  proxy: LoggingProxy,
  seeds: number,
  over: AbortSignal,
): Promise<Forms[]> {
  const results: Forms[] = [];
  for (const task of formTasks) {
    const before = proxy.log.length;
    const faults: string[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      over.throwIfAborted();
      proxy.seed = seed;
      const fault = await faultOf(model, task);
      if (fault !== undefined) faults.push(fault);
    }
    proxy.seed = undefined;
    const requests = proxy.log.length - before;
    results.push({ task, asked: seeds, usable: seeds - faults.length, requests, faults });
    process.stderr.write(`${task}: ${seeds - faults.length} of ${seeds} usable, in ${requests} requests\n`);
  }
  return results;
}

async function faultOf<K extends keyof typeof inputs>(model: Model, task: K): Promise<string | undefined> {
  const attempt = { signal: AbortSignal.timeout(endpointDefaults.timeout_ms), onReply: () => undefined };
  try {
    await model.call(task, inputs[task], { step_attempt: 1, calls_before: 0 }, attempt);
    return undefined;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return error.message;
  }
}
