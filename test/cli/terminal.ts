// Runs `runs` in this process with injected inputs and captured outputs.
import { mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { runCli } from '../../clients/cli/run-cli.ts';
import type { Home } from '../support/given.ts';
import { sharedService } from '../support/service.ts';

interface Given {
  /** The key of this workspace, and its service, in the environment. */
  home?: Pick<Home, 'key' | 'access'>;
  stdin?: string;
  env?: Record<string, string>;
  tty?: boolean;
  cwd?: string;
  fetch?: typeof fetch;
  interrupted?: AbortSignal;
  /** Sees everything written to stderr, at once. */
  onTalk?: (text: string) => void;
}

interface Done {
  code: number;
  out: string;
  err: string;
}

/** A folder for the files of tests; it goes with the data of the service. */
export const folder = mkdtempSync(join(dirname(sharedService().log_dir), 'cli-'));

/** An environment without a key, whose files lie in the folder of the tests. */
export const emptyEnv = {
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_STATE_HOME: join(folder, 'state'),
  HOME: folder,
};

/** The environment of a user of a workspace. */
export function envOf(home: Pick<Home, 'key' | 'access'>): Record<string, string> {
  const { base_url } = home.access ?? sharedService();
  return { ...emptyEnv, RUNS_API_KEY: home.key, RUNS_BASE_URL: base_url };
}

/** One command line, carried out. */
export async function runs(args: readonly string[], given: Given = {}): Promise<Done> {
  const done: Done = { code: -1, out: '', err: '' };
  const { home, stdin = '', env = {}, tty = false, cwd = folder, onTalk } = given;
  const output = (keep: (text: string) => void) => ({
    write: keep,
    ...(tty && { isTTY: true, columns: 80, rows: 24 }),
  });
  done.code = await runCli(args, {
    stdout: output((text) => {
      done.out += text;
    }),
    stderr: output((text) => {
      done.err += text;
      onTalk?.(text);
    }),
    stdin: Readable.from(stdin === '' ? [] : [stdin]),
    env: { ...(home ? envOf(home) : emptyEnv), ...env },
    cwd,
    fetch: given.fetch ?? fetch,
    interrupted: given.interrupted ?? new AbortController().signal,
  });
  return done;
}

/** A service that answers every request with this. */
export function answering(status: number, body: object, headers: Record<string, string> = {}): typeof fetch {
  return async () => Response.json(body, { status, headers });
}
