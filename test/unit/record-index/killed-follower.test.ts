// A process that dies at any moment of a commit leaves files that level again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { operations } from '#record-index/index-operations.ts';
import { openFile, openMemory } from '#record-index/schema.ts';
import { answerOf, questions } from '../../support/index-questions.ts';
import { log } from './fixture/followed-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'killed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const FIXTURE = fileURLToPath(new URL('./fixture/killed-follower.ts', import.meta.url));
const WITHIN_MS = 120_000;

test(
  'a process that is killed while it commits leaves files that level again, none ahead of its core',
  async () => {
    const whole = openMemory();
    log.follow(whole);
    const path = join(folder, 'index.db');
    for (let nth = 1; nth <= 15; nth += 1) {
      const child = spawn(process.execPath, [FIXTURE, path, String(nth)], { stdio: 'ignore' });
      expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
      const index = openFile(path);
      operations.state(index);
      index.close();
    }
    const index = openFile(path);
    log.follow(index);
    for (const name of Object.keys(questions))
      expect([name, answerOf(name, index)]).toEqual([name, answerOf(name, whole)]);
    index.close();
  },
  WITHIN_MS,
);
