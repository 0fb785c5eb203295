// A semaphore for each workspace, for the tasks of its runs. On AWS each task has its own environment; here a flood of
// one workspace's tasks would delay all others: their runs would wait behind the whole flood (`npm run prove -- fair`).

/** A task that may start. */
export interface Permit {
  /** Whether its workspace has more than a few tasks that have started and not ended. */
  isCrowd: boolean;
  /** To be called when it has ended. */
  release(): void;
}

/** Resolves when a task of a workspace may start. */
export type Acquire = (workspace: string) => Promise<Permit>;

/** A crowd leaves one thread of its function to others (rules.md: local 14). */
const FEW = 2;
const AT_ONCE = 8;
/** A task that takes longer mostly waits, so the next one need not wait for its end. */
const LASTS_MS = 500;

/**
 * Tasks of a workspace start in order. Beyond 8 of them, the next starts when an earlier one ends or takes long
 * (rules.md: local 12).
 */
export function createSemaphore(): Acquire {
  const workspaces = new Map<string, { working: number; open: number; waiting: (() => void)[] }>();
  return async (name) => {
    const workspace = workspaces.get(name) ?? { working: 0, open: 0, waiting: [] };
    workspaces.set(name, workspace);
    if (workspace.working < AT_ONCE) workspace.working += 1;
    else await new Promise<void>((resolve) => workspace.waiting.push(resolve));
    workspace.open += 1;
    let hasLeft = false;
    const letNextStart = () => {
      if (hasLeft) return;
      hasLeft = true;
      clearTimeout(timer);
      const first = workspace.waiting.shift();
      if (first) return first();
      workspace.working -= 1;
    };
    const timer = setTimeout(letNextStart, LASTS_MS).unref();
    return {
      isCrowd: workspace.open > FEW,
      release() {
        workspace.open -= 1;
        letNextStart();
        if (workspace.working === 0 && workspace.open === 0) workspaces.delete(name);
      },
    };
  };
}
