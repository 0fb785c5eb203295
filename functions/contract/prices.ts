// The built-in prices of models.
import type { PriceTable } from './models.ts';

/** The default table. Bedrock: us-east-1, on demand. */
export const builtInPrices: PriceTable = {
  offline: { input: 1, cached_input: 0.1, output: 4 },
  'amazon.nova-micro-v1:0': { input: 0.035, cached_input: 0.00875, output: 0.14, as_of: '2026-11-01' },
  'amazon.nova-lite-v1:0': { input: 0.06, cached_input: 0.015, output: 0.24, as_of: '2026-11-01' },
  'amazon.nova-pro-v1:0': { input: 0.8, cached_input: 0.2, output: 3.2, as_of: '2026-11-01' },
  'amazon.titan-embed-text-v2:0': { input: 0.02, cached_input: 0.02, output: 0, as_of: '2026-11-01' },
  'global.anthropic.claude-haiku-4-5-20251001-v1:0': {
    input: 1,
    cached_input: 0.1,
    output: 5,
    as_of: '2026-11-01',
  },
  'global.anthropic.claude-sonnet-4-5-20250929-v1:0': {
    input: 3,
    cached_input: 0.3,
    output: 15,
    as_of: '2026-11-01',
  },
  'gpt-4o-mini': { input: 0.15, cached_input: 0.075, output: 0.6, as_of: '2026-11-01' },
  'gpt-4.1-mini': { input: 0.4, cached_input: 0.1, output: 1.6, as_of: '2026-11-01' },
  'text-embedding-3-small': { input: 0.02, cached_input: 0.02, output: 0, as_of: '2026-11-01' },
};
