// Loaded before anything of the CDK: with a version that lacks what we use, what failed first would say nothing.
import installed from 'aws-cdk-lib/package.json' with { type: 'json' };
import { cdkRange } from './peers.ts';

const numbersOf = (version: string) => version.split('.').map((part) => Number.parseInt(part, 10));

/** Whether a version is before another. */
function isBefore(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const index = a.findIndex((number, i) => number !== b[i]);
  return index >= 0 && Number(a[index]) < Number(b[index]);
}

/** Throws for a version of `aws-cdk-lib` outside of the range. */
export function checkCdk(version: string): void {
  const { from, below } = cdkRange;
  if (isBefore(version, from) || !isBefore(version, below))
    throw new Error(
      `run-service-cdk needs aws-cdk-lib ${from} or later, below ${below}, and ${version} is installed`,
    );
}

checkCdk(installed.version);
