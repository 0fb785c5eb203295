// The AwsSolutions rules of cdk-nag: no finding without a reason, with nothing that a stage may ask for and with all of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { makeApp } from '../support/synthesize.ts';

const Report = z.object({
  pluginReports: z.array(
    z.looseObject({ conclusion: z.string(), violations: z.array(z.looseObject({ ruleName: z.string() })) }),
  ),
});

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
  delete process.env.CDK_VALIDATION;
  const app = makeApp(context);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  try {
    app.synth();
  } catch {
    // Findings are thrown; the report says which.
  }
  const report = Report.parse(JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8')));
  const findings = report.pluginReports.map(({ conclusion, violations }) => ({
    conclusion,
    rules: violations.map(({ ruleName }) => ruleName),
  }));
  expect(findings).toEqual([{ conclusion: 'success', rules: [] }]);
});
