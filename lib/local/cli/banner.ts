// The text that the service prints when it is ready: its addresses and one working command.
import type { EndpointCheck } from '../../../functions/contract/endpoint-check.ts';
import type { ModelsFile } from '../../../functions/contract/model-endpoints.ts';
import { isSimulated } from '../../../functions/contract/models.ts';
import { builtInPrices } from '../../../functions/contract/prices.ts';
import type { ModelFlags } from './flags.ts';
import { endpointsOf } from './provider-env.ts';

/** What the banner shows. */
export interface Ready {
  site_url: string;
  base_url: string;
  api_key?: string;
  /** The setting of the model. */
  model: string;
  /** The setting of the embedding; absent: the offline one. */
  embedding?: string | undefined;
  /** The models file, in place of both. */
  models?: ModelsFile | undefined;
}

/** The model, and what a person may not expect of it. */
function modelLine(model: string): string {
  if (!isSimulated(model)) return model.replaceAll(',', ', then ');
  return 'offline (a rehearsal: simple questions, no real cost; --model for a real one)';
}

/** Which model answers what, and what searches by meaning are worth. */
function modelLines({ model, embedding, models }: Ready): string[] {
  if (!models) return [labelled('Model', modelLine(model)), ...embeddingLine(embedding, model !== 'offline')];
  const { chat, tasks = {} } = models;
  const shown = chat.map(({ name, model: id }, i) => {
    const given = Object.entries(tasks).flatMap(([task, its]) => (its === name ? [task] : []));
    const does = [...(i === 0 ? ['answers'] : []), ...given];
    return `${name} (${id})${does.length > 0 ? `: ${does.join(', ')}` : ''}`;
  });
  const embedded = models.embedding && `${models.embedding.name} (${models.embedding.model})`;
  return [...shown.map(named), ...embeddingLine(embedded, true)];
}

const LABEL_CHARACTERS = 20;
const labelled = (label: string, text: string) => `  ${label.padEnd(LABEL_CHARACTERS)}${text}`;
const named = (text: string, i: number) => labelled(i === 0 ? 'Model' : '', text);

/** Under a real model, letters in place of meaning would pass for its work. */
function embeddingLine(embedding: string | undefined, isModelReal: boolean): string[] {
  if (embedding !== undefined && embedding !== 'offline') return [labelled('Embedding', embedding)];
  if (!isModelReal) return [];
  return [
    labelled('Embedding', 'offline: vector_search compares letters, not meaning; --embedding for a real one'),
  ];
}

/** A line for each endpoint that was asked at the start. */
export function checkLines(endpoints: readonly EndpointCheck[]): string {
  return endpoints.map((one) => `${labelled(one.name, whatCame(one))}\n`).join('');
}

function whatCame({
  answers,
  provider,
  structured,
  usage,
  context_tokens,
  dimensions,
}: EndpointCheck): string {
  const said =
    provider && [provider.status_code, provider.message].filter((part) => part !== undefined).join(' ');
  if (!answers) return `does not answer: ${said ?? 'no reply'}`;
  const form = structured ?? `${dimensions} dimensions`;
  const counted = usage ? 'usage told' : 'no usage: its cost cannot be counted';
  return ['answers', form, counted, `${context_tokens} tokens of context`, ...(said ? [said] : [])].join(
    ', ',
  );
}

/** What an operator must know about models whose cost cannot be counted: a line for each. */
export function priceWarnings(flags: ModelFlags): string[] {
  const { models, prices = builtInPrices } = flags;
  // A models file has its prices.
  const unknown = models ? [] : endpointsOf(flags).filter((name) => !Object.hasOwn(prices, name));
  return unknown.map(
    (name) => `${name} has no price, so every run is refused: name its price with --prices FILE`,
  );
}

/** The text, ending in a newline. It shows a curl command only if there is a key. */
export function banner(ready: Ready, dataDir: string): string {
  const { site_url, base_url, api_key } = ready;
  const lines = [
    '',
    `  Run service ready   ${base_url}`,
    // Browsers do not send the fragment, so the key reaches no server and no log.
    `  Console             ${site_url}/console${api_key === undefined ? '' : `#key=${api_key}`}`,
    `  API reference       ${site_url}/docs`,
    ...modelLines(ready),
    `  Data and logs       ${dataDir}`,
    '',
  ];
  if (api_key === undefined) return `${lines.join('\n')}\n`;
  const plan = {
    title: 'Companies in Berlin',
    steps: [
      { kind: 'fetch', title: 'Companies', params: { source: 'companies' } },
      { kind: 'filter', title: 'In Berlin', instructions: 'companies in Berlin' },
      { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table', 'text'] } },
    ],
  };
  return `${[
    ...lines,
    '  Start a run, then read it by the id in the answer (GET /runs/{id}):',
    '',
    `  curl -s ${base_url}/runs -H 'Authorization: Bearer ${api_key}' -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify({ input_type: 'plan', plan })}'`,
    '',
    `  curl -s '${base_url}/runs?limit=1' -H 'Authorization: Bearer ${api_key}'`,
    '',
  ].join('\n')}\n`;
}
