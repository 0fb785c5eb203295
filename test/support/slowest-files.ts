// A reporter: the files of a run that take longest, so that a slow one is noticed.
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Their seconds, set-ups included, below the results. A run of a few files needs none. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const rows = modules
      .map((module) => ({ module, ms: msOf(module) }))
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, SHOWN)
      .map(({ module, ms }) => {
        const file = relative(process.cwd(), module.moduleId);
        return `${(ms / 1000).toFixed(1).padStart(7)} s  ${module.project.name.padEnd(11)}  ${file}`;
      });
    process.stdout.write(`\n The slowest files\n${rows.join('\n')}\n`);
  }
}

function msOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return duration + collectDuration + setupDuration;
}
