// Policy statements, and what they allow.

/** One permission that a request needs. */
export interface Right {
  action: string;
  resource: string;
  /** The values that conditions are about, by the name of their key. */
  context?: Readonly<Record<string, readonly string[]>>;
}

export interface Statement {
  allow: boolean;
  actions: RegExp[];
  resources: RegExp[];
  /** What every value of the request's context must match, by the name of the key. */
  conditions: Readonly<Record<string, RegExp[]>>;
}

/** Whether at least one statement covers the permission and none of those denies it. */
export function isAllowed(
  statements: readonly Statement[],
  { action, resource, context = {} }: Right,
): boolean {
  const fitting = statements.filter(
    (statement) =>
      statement.actions.some((pattern) => pattern.test(action)) &&
      statement.resources.some((pattern) => pattern.test(resource)) &&
      Object.entries(statement.conditions).every(([name, patterns]) =>
        context[name]?.every((value) => patterns.some((pattern) => pattern.test(value))),
      ),
  );
  return fitting.length > 0 && fitting.every((statement) => statement.allow);
}
