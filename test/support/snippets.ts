// The code blocks of a Markdown file, and a shell that runs them.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

/** The fenced blocks in one language, in order, without fences. */
export function codeBlocks(file: string, language: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
}

/** The commands of a file's shell blocks, one per line, without comments. */
export function commandsOf(file: string): string[] {
  return codeBlocks(file, 'sh').flatMap((block) =>
    block
      .trim()
      .split('\n')
      .map((line) => line.replace(/\s+#.*/, '')),
  );
}

/** Runs a snippet as a module in its own process, with this repository's client, and returns its output. */
export async function runModule(code: string, env: Record<string, string> = {}): Promise<string> {
  const client = new URL('../../clients/sdk/index.ts', import.meta.url).href;
  const args = ['--input-type=module', '--eval', code.replace("'run-service-client'", `'${client}'`)];
  return (await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })).stdout;
}

/**
 * Runs a script under `sh` in the project's root and returns its output. A machine may lack curl and openssl, so
 * functions of those names replace them. Rejects when the script fails.
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
