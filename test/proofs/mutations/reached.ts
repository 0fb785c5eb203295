// The test files that reach a place of a source.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Range = z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() });
const Reach = z.object({
  test: z.string(),
  files: z.array(
    z.object({
      file: z.string(),
      isSource: z.boolean(),
      functions: z.array(z.array(Range)),
    }),
  ),
});

type Functions = z.infer<typeof Range>[][];

/** Says which test files reach a character of a file, by what `recordReach` has written to the folder. */
export function readReached(folder: string): (file: string, at: number) => string[] {
  const reaches = readdirSync(folder).map((name) =>
    Reach.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
  );
  return (file, at) =>
    reaches
      .filter(({ files }) =>
        files.some(
          (one) => one.file === file && (one.isSource ? isReached(one.functions, at) : runs(one.functions)),
        ),
      )
      .map(({ test }) => test);
}

/** Has run a function of the file. The first is the file itself, which runs once in a process, for all of its tests. */
const runs = ([, ...functions]: Functions) => functions.some(([whole]) => (whole?.count ?? 0) > 0);

function isReached(functions: Functions, at: number): boolean {
  const [first] = functions;
  const around = functions
    .flatMap((ranges) => ranges.map((range) => ({ ...range, isFile: ranges === first })))
    .filter(({ startOffset, endOffset }) => startOffset <= at && at < endOffset)
    .toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
  const [innermost] = around;
  return innermost === undefined || innermost.isFile ? runs(functions) : innermost.count > 0;
}
