// When tasks start: those of one workspace wait for one another. On AWS each has an environment to itself; here a flood of them would hold up everybody else's.

/** Resolves when a task of a workspace may start, with what to call when it has ended. */
export type TakeTurn = (workspace: string) => Promise<() => void>;

const AT_ONCE = 8;
/** A task that takes longer waits for others more than it works, so the next one need not wait for its end. */
const LASTS_MS = 500;

/** Tasks of a workspace start in the order they came, and beyond a few of them only when an earlier one has ended or lasts (rules.md: local 12). */
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
