// `npm run judge:template`: what AWS's own linters say of the template under every setting, and of the one that `sam local invoke` reads.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApp } from '../support/synthesize.ts';

/** The judges, from the Python registry; pinned, so that a verdict is the template's. */
const JUDGES = ['cfn-lint==1.58.0', 'aws-sam-cli==1.170.0'];

/** Every setting that changes the template, alone or with others. */
const settings: readonly Record<string, unknown>[] = [
  {},
  { stack: 'Staging', deletion_protection: false, site_url: 'https://runs.example' },
  { vectors: 's3', vector_dimensions: 1024 },
  { model: 'bedrock:eu.amazon.nova-lite-v1:0', embedding_model: 'bedrock:amazon.titan-embed-text-v2:0' },
  {
    model: 'openai:m@https://models.example/v1',
    prices: { m: { input: 1, cached_input: 0, output: 2 } },
    slice_seconds: 60,
    steps_per_slice: 1,
  },
  {
    reserved_concurrency: { StreamEvents: 100, ExecuteSteps: 500, Sweep: 2 },
    requests_per_second: 100,
    route_requests_per_second: { CreateRun: 20 },
    waf_requests_per_5_minutes: 1000,
    log_retention_days: 365,
  },
];

/** The CDK names the policy of a role as a dependency beside the role, which one judge finds needless. */
const CONFIG = 'ignore_checks:\n  - W3005\n';

const folder = mkdtempSync(join(tmpdir(), 'judge-template-'));
const run = (command: string, args: string[]) =>
  execFileSync(command, args, {
    stdio: 'inherit',
    cwd: folder,
    env: { ...process.env, SAM_CLI_TELEMETRY: '0', AWS_REGION: 'us-east-1' },
  });

/** The file of the template under these settings. */
function templateOf(context: Record<string, unknown>): string {
  process.env.CDK_VALIDATION = 'false';
  const app = makeApp(context);
  app.synth();
  const name = readdirSync(app.outdir).find((file) => file.endsWith('.template.json')) ?? '';
  return join(app.outdir, name);
}

try {
  const tool = (name: string) => join(folder, 'bin', name);
  run('python3', ['-m', 'venv', folder]);
  run(tool('pip'), ['install', '--quiet', '--disable-pip-version-check', ...JUDGES]);
  writeFileSync(join(folder, '.cfnlintrc'), CONFIG);
  const templates = settings.map(templateOf);
  run(tool('cfn-lint'), ['--regions', 'us-east-1', '--', ...templates]);
  run(tool('sam'), ['validate', '--lint', '--region', 'us-east-1', '--template', templates[0] ?? '']);
  console.log(JSON.stringify({ judges: JUDGES, templates: templates.length, verdict: 'no finding' }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
