// cfn-lint, the validator of templates that AWS gives away.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** From the Python registry; pinned, so that a verdict is the template's. */
export const CFN_LINT = 'cfn-lint==1.58.0';

/** The CDK lists the policy of a role as a dependency next to the role, which it finds redundant. */
export const REDUNDANT = 'W3005';

/** Throws, with its findings on stderr, where one of the templates has some. `tools` is the folder of the program. */
export function lint(tools: string, templates: readonly string[]): void {
  const args = ['--regions', 'us-east-1', '--ignore-checks', REDUNDANT, '--', ...templates];
  execFileSync(join(tools, 'cfn-lint'), args, { stdio: ['ignore', 2, 2] });
}
