// What vitest's JSON reporter writes.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import * as z from 'zod';

const Report = z.object({
  numPassedTests: z.number(),
  numTotalTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

interface Failure {
  file: string;
  /** Absent when the file failed as a whole. */
  test?: string;
  reason: string | undefined;
}

/** A run of vitest: its counts, and what failed. Throws for a file that is absent or no report. */
export function readReport(file: string) {
  const { testResults, numTotalTests, numPassedTests } = Report.parse(JSON.parse(readFileSync(file, 'utf8')));
  const failed = testResults.flatMap(({ name, status, message, assertionResults }): Failure[] => {
    const place = relative(process.cwd(), name);
    const tests = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        file: place,
        test: fullName,
        reason: failureMessages?.[0],
      }));
    return status === 'failed' && tests.length === 0 ? [{ file: place, reason: message }] : tests;
  });
  return { files: testResults.length, tests: numTotalTests, passed: numPassedTests, failed };
}
