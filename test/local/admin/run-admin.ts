// The admin CLI as a process.
import { execFile } from 'node:child_process';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the CLI to its end; `nodeFlags` go to Node. */
export function runAdmin(args: string[], nodeFlags: string[] = []): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const all = [...nodeFlags, 'bin/admin.ts', ...args];
  const child = execFile(process.execPath, all, { maxBuffer: 64_000_000 }, (_, stdout, stderr) =>
    resolve({ code: child.exitCode ?? -1, stdout, stderr }),
  );
  return promise;
}

/** The error that a command ended with. */
export const errorOf = ({ stderr }: Ended) => JSON.parse(stderr).error;
