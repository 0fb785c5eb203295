// A semaphore for each workspace, for the tasks of its runs. On AWS each task has its own environment; here a flood of
// one workspace's tasks would delay all others: their runs would wait behind the whole flood (`npm run prove -- fair`).

/** Resolves when a task of a workspace may start; the returned function must be called when it has ended. */
export type Acquire = (workspace: string) => Promise<() => void>;

const AT_ONCE = 8;
/** A task that takes longer mostly waits, so the next one need not wait for its end. */
const LASTS_MS = 500;

/**
 * Tasks of a workspace start in order. Beyond 8 of them, the next starts when an earlier one ends or takes long
 * (rules.md: local 12).
 */
export function createSemaphore(): Acquire {
  const workspaces = new Map<string, { working: number; waiting: (() => void)[] }>();
  return async (name) => {
    const workspace = workspaces.get(name) ?? { working: 0, waiting: [] };
    workspaces.set(name, workspace);
    if (workspace.working < AT_ONCE) workspace.working += 1;
    else await new Promise<void>((resolve) => workspace.waiting.push(resolve));
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      clearTimeout(timer);
      const next = workspace.waiting.shift();
      if (next) return next();
      workspace.working -= 1;
      if (workspace.working === 0) workspaces.delete(name);
    };
    const timer = setTimeout(release, LASTS_MS).unref();
    return release;
  };
}
