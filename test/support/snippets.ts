// The code blocks of a Markdown file, and a shell that runs them.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/** The fenced blocks in one language, in order, without their fences. */
export function codeBlocks(file: string, language: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
}

/**
 * Runs a script under `sh` in the project's root and gives what it prints. A machine with a POSIX shell need not have curl and openssl,
 * so functions of those names stand in for them. Rejects when the script fails.
 */
export async function sh(script: string, env: Record<string, string> = {}): Promise<string> {
  const standIns = ['curl', 'openssl']
    .map((name) => `${name}() { "$NODE" test/support/commands.ts ${name} "$@"; }\n`)
    .join('');
  const { stdout } = await promisify(execFile)('sh', ['-ec', `${standIns}${script}`], {
    cwd: root,
    env: { ...process.env, ...env, NODE: process.execPath },
  });
  return stdout;
}
