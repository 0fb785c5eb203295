// Applies the AwsSolutions rules of cdk-nag to the stack.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as z from 'zod';
import { makeApp } from './synthesize.ts';

const Report = z.object({
  pluginReports: z.array(
    z.looseObject({ conclusion: z.string(), violations: z.array(z.looseObject({ ruleName: z.string() })) }),
  ),
});

/** The result of each check of the stack, with its violations that have no documented reason. Takes seconds. */
export function securityFindings(
  context: Readonly<Record<string, unknown>>,
): { conclusion: string; rules: string[] }[] {
  delete process.env.CDK_VALIDATION;
  const app = makeApp(context);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  try {
    app.synth();
  } catch {
    // Findings are thrown; the report has the details.
  }
  const report = Report.parse(JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8')));
  return report.pluginReports.map(({ conclusion, violations }) => ({
    conclusion,
    rules: violations.map(({ ruleName }) => ruleName),
  }));
}
