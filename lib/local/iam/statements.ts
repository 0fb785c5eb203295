// Policy statements, and what they allow.

/** One permission that a request needs. */
export interface Right {
  action: string;
  resource: string;
}

export interface Statement {
  allow: boolean;
  actions: RegExp[];
  resources: RegExp[];
}

/** Whether at least one statement covers the permission and none of those denies it. */
export function isAllowed(statements: readonly Statement[], { action, resource }: Right): boolean {
  const fitting = statements.filter(
    (statement) =>
      statement.actions.some((pattern) => pattern.test(action)) &&
      statement.resources.some((pattern) => pattern.test(resource)),
  );
  return fitting.length > 0 && fitting.every((statement) => statement.allow);
}
