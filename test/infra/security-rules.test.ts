// The AwsSolutions rules of cdk-nag: no finding without a reason, with nothing that a stage may ask for and with all of
// it.
import { expect, test } from 'vitest';
import { securityFindings } from '../support/security-rules.ts';

/** All rules over all resources take seconds. */
const RULES_TIMEOUT_MS = 60_000;

test.each([
  { model: 'offline' },
  {
    model: 'bedrock:eu.amazon.nova-lite-v1:0',
    embedding_model: 'openai:m@https://models.example/v1',
    vectors: 's3',
    waf_requests_per_5_minutes: 1000,
    reserved_concurrency: { Sweep: 1 },
  },
])('no finding is left without a reason with %j', { timeout: RULES_TIMEOUT_MS }, (context) => {
  expect(securityFindings(context)).toEqual([{ conclusion: 'success', rules: [] }]);
});
