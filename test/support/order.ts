// The order in which a run's files begin: those that wait longest come first, so that none is waited for at the end.
import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Waits for its service and the service's timers. */
const STARTS_SERVICE = /\b(own|open)Service\(/;

/** Files of a project follow each other, since they share its processes; those with a process of their own come first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const first = projects.toSorted(
      ({ config: a }, { config: b }) =>
        a.sequence.groupOrder - b.sequence.groupOrder || Number(b.isolate) - Number(a.isolate),
    );
    return first.flatMap((project) => {
      const { startsService = [], others = [] } = Object.groupBy(
        sorted.filter((file) => file.project === project),
        ({ moduleId }) => (STARTS_SERVICE.test(readFileSync(moduleId, 'utf8')) ? 'startsService' : 'others'),
      );
      return [...startsService, ...others];
    });
  }
}
