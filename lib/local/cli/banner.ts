// The text that the service prints when it is ready: its addresses and one working command.
import {
  isSimulated,
  modelName,
  type PriceTable,
  parseModelSpec,
} from '../../../functions/contract/models.ts';
import { builtInPrices } from '../../../functions/contract/prices.ts';

/** What the banner shows. */
export interface Ready {
  site_url: string;
  base_url: string;
  api_key?: string;
  /** The setting of the model. */
  model: string;
}

/** The model, and what a person may not expect of it. */
function modelLine(model: string): string {
  if (!isSimulated(modelName(parseModelSpec(model)))) return model;
  return 'offline (a rehearsal: simple questions, no real cost; --model for a real one)';
}

/** What an operator must know about a model whose cost cannot be counted; undefined if its price is known. */
export function priceWarning(model: string, prices: PriceTable = builtInPrices): string | undefined {
  const name = modelName(parseModelSpec(model));
  if (Object.hasOwn(prices, name)) return undefined;
  return `${name} has no price, so every run is refused: name its price with --prices FILE`;
}

/** The text, ending in a newline. It shows a curl command only if there is a key. */
export function banner({ site_url, base_url, api_key, model }: Ready, dataDir: string): string {
  const lines = [
    '',
    `  Run service ready   ${base_url}`,
    // Browsers do not send the fragment, so the key reaches no server and no log.
    `  Console             ${site_url}/console${api_key === undefined ? '' : `#key=${api_key}`}`,
    `  API reference       ${site_url}/docs`,
    `  Model               ${modelLine(model)}`,
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
