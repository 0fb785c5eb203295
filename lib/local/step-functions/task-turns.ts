// Fair starts of tasks. On AWS each task has its own environment; here a flood of one workspace's tasks would delay all
// others: without turns, another workspace's run waits behind the whole flood (`npm run prove -- fair`).

/** Resolves when a task of a workspace may start; the returned function must be called when it has ended. */
export type TakeTurn = (workspace: string) => Promise<() => void>;

const AT_ONCE = 8;
/** A task that takes longer mostly waits, so the next one need not wait for its end. */
const LASTS_MS = 500;

/**
 * Tasks of a workspace start in order. Beyond 8 of them, the next starts when an earlier one ends or takes long
 * (rules.md: local 12).
 */
export function createTaskTurns(): TakeTurn {
  const workspaces = new Map<string, { working: number; waiting: (() => void)[] }>();
  return async (name) => {
    const workspace = workspaces.get(name) ?? { working: 0, waiting: [] };
    workspaces.set(name, workspace);
    if (workspace.working < AT_ONCE) workspace.working += 1;
    else await new Promise<void>((resolve) => workspace.waiting.push(resolve));
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      clearTimeout(timer);
      const next = workspace.waiting.shift();
      if (next) return next();
      workspace.working -= 1;
      if (workspace.working === 0) workspaces.delete(name);
    };
    const timer = setTimeout(leave, LASTS_MS).unref();
    return leave;
  };
}
