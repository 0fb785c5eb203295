// Which characters of the product's sources a test file reaches, as V8 counts it.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Writes what the current test file has reached since the one before it, for `reached.ts`. */
export async function recordReach(): Promise<void> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const { testPath = '' } = expect.getState();
  const files = result.flatMap(({ url, functions }) => {
    // The runner that replaces modules compiles them itself, so that characters are at other places.
    const isSource = url.startsWith('file:');
    const file = relative(process.cwd(), isSource ? fileURLToPath(url) : url).split('?')[0] ?? '';
    if (!file.startsWith('functions/')) return [];
    return [{ file, isSource, functions: functions.map(({ ranges }) => ranges) }];
  });
  const test = relative(process.cwd(), testPath);
  writeFileSync(
    join(process.env.REACH_FOLDER ?? '', `${test.replaceAll('/', '+')}.json`),
    JSON.stringify({ test, files }),
  );
}
