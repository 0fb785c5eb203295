// `npm run prove -- judge:template`: what third-party judges report about the template under every setting, as `cdk
// synth` makes it. Prints JSON.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { securityFindings } from '../../support/security-rules.ts';
import { stageSettings } from '../../support/stage-settings.ts';
import { CFN_LINT, lint, REDUNDANT } from './cfn-lint.ts';
import { pythonTools } from './python-tools.ts';

/** The second also reads templates for `sam local invoke`. */
const JUDGES = [CFN_LINT, 'aws-sam-cli==1.170.0'];

/** `sam` calls cfn-lint itself. */
const CONFIG = `ignore_checks:\n  - ${REDUNDANT}\n`;

const folder = mkdtempSync(join(tmpdir(), 'judge-template-'));
const run = (command: string, args: string[], cwd = folder) =>
  execFileSync(command, args, {
    stdio: ['ignore', 2, 2],
    cwd,
    env: { ...process.env, SAM_CLI_TELEMETRY: '0', AWS_REGION: 'us-east-1' },
  });

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Models are given by the path of their file. */
function modelsFile(models: unknown, position: number): string {
  const file = join(folder, `models.${position}.json`);
  writeFileSync(file, asText(models));
  return file;
}

/** The file of the template that `cdk synth` makes under these settings. */
function synthesized(settings: Readonly<Record<string, unknown>>, position: number): string {
  const output = join(folder, `cdk.out.${position}`);
  const context = Object.entries(settings).flatMap(([name, value]) => [
    '-c',
    `${name}=${name === 'models' ? modelsFile(value, position) : asText(value)}`,
  ]);
  run('cdk', ['synth', '--quiet', '--output', output, ...context], process.cwd());
  return join(output, readdirSync(output).find((file) => file.endsWith('.template.json')) ?? '');
}

try {
  const tools = pythonTools(JUDGES);
  writeFileSync(join(folder, '.cfnlintrc'), CONFIG);
  const templates = stageSettings.map(synthesized);
  lint(tools, templates);
  run(join(tools, 'sam'), ['validate', '--lint', '--region', 'us-east-1', '--template', templates[0] ?? '']);
  const rules = stageSettings.flatMap(securityFindings).flatMap((check) => check.rules);
  const verdict = rules.length === 0 ? 'no finding' : rules;
  const judges = [...JUDGES, 'cdk-nag'];
  process.stdout.write(`${JSON.stringify({ judges, settings: stageSettings, verdict }, undefined, 2)}\n`);
  process.exitCode = rules.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
