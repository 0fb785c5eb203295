// The start as `npm start` makes it: one process from the first moment on, and quick where nothing has changed.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { serviceProcess } from '../proofs/living/service-process.ts';

const service = serviceProcess({ flags: ['--allow-local-callbacks'], assembly: inject('assembly') });
afterAll(() => service.remove());

const madeAt = () => statSync(join(service.dataDir, 'cdk.out/RunService.template.json')).mtimeMs;
const pid = () => JSON.parse(readFileSync(join(service.dataDir, 'local.json'), 'utf8')).pid;

test('a start serves from the assembly of the start before, even after a kill (rules.md: local 2, local 3)', async () => {
  const first = madeAt();
  await service.start();
  expect(madeAt()).toBe(first);
  await service.kill();
  await service.start();
  expect(madeAt()).toBe(first);
  await service.call('GET', '/runs');
});

test.runIf(process.platform === 'linux')('on Linux all threads share two heaps', async () => {
  expect(readFileSync(`/proc/${pid()}/environ`, 'utf8')).toContain('\0MALLOC_ARENA_MAX=2\0');
});
