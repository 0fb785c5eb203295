// What tools of others say about what is published for those without the CDK: the template and its Terraform module.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CFN_LINT, lint } from './cfn-lint.ts';
import { pythonTools } from './python-tools.ts';

const VALID = 'no finding';

/** By tool: its verdict, or why it was left out. Throws, with the findings on stderr, where one has some. */
export function judgedPublished(packages: string): Record<string, string> {
  return {
    [CFN_LINT]: linted(join(packages, 'template/run-service.template.json')),
    terraform: validated(join(packages, 'terraform')),
  };
}

function linted(template: string): string {
  lint(pythonTools([CFN_LINT]), [template]);
  return VALID;
}

/** `TF_CLI_ARGS_init` can name a folder of its providers. */
function validated(module: string): string {
  const { error, status } = spawnSync('terraform', ['init', '-backend=false', '-input=false'], {
    cwd: module,
    stdio: ['ignore', 2, 2],
  });
  if (error) return 'left out: this machine has no terraform';
  if (status !== 0) return 'left out: its provider for AWS cannot be loaded';
  for (const args of [['validate'], ['fmt', '-check', '-diff']])
    execFileSync('terraform', args, { cwd: module, stdio: ['ignore', 2, 2] });
  return VALID;
}
