// `npm run prove -- histories`: what sixteen clients saw of their runs while the service, its functions' threads and
// their handles of the table's file were killed, judged by Porcupine. Prints JSON; exit code 1 on a breach, also when the
// checker takes a story for what it is not; 2 without Go.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Findings, misused } from '../proof.ts';
import { buildChecker, hasChecker, judge, nameOf } from './checker.ts';
import { findPlanted } from './planted.ts';
import { recordHistories } from './record.ts';
import { stories } from './stories.ts';

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    planted: { type: 'boolean', default: false },
  },
});
const flags = { histories: Number(values.histories), seed: Number(values.seed) };

async function prove(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'histories-'));
  const begun = performance.now();
  const { breaches, ...figures } = await (values.planted ? planted(folder) : recorded(folder));
  const seconds = Math.round((performance.now() - begun) / 1000);
  process.stdout.write(`${JSON.stringify({ ...flags, ...figures, seconds, breaches })}\n`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
  // Of a breach the histories and their pictures are left.
  if (breaches.length === 0) rmSync(folder, { recursive: true });
}

function planted(folder: string): Promise<Findings> {
  const checker = buildChecker(folder);
  return findPlanted(flags, (histories, name) => judge(checker, join(folder, name), histories));
}

async function recorded(folder: string): Promise<Findings> {
  const checker = buildChecker(folder);
  const misjudged = misjudgedBy(checker, join(folder, 'stories'));
  const { histories, breaches, ...figures } = await recordHistories(flags);
  const verdict = judge(checker, folder, histories);
  const { judged, partitions } = verdict;
  return { ...figures, judged, partitions, breaches: [...misjudged, ...breaches, ...verdict.breaches] };
}

function misjudgedBy(checker: string, folder: string): string[] {
  const { breaches } = judge(
    checker,
    folder,
    stories.map(({ operations }) => operations),
  );
  return stories
    .filter(({ is_possible }, i) => breaches.some((one) => one.includes(nameOf(i))) === is_possible)
    .map(
      ({ name, is_possible }) => `the checker takes for ${is_possible ? 'impossible' : 'possible'}: ${name}`,
    );
}

if (hasChecker()) await prove();
else misused('histories are judged by a program in Go: this machine has no Go, or no module proxy');
