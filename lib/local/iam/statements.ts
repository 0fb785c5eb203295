// Policy statements, and what they allow.

/** One permission that a request needs. */
export interface Right {
  action: string;
  resource: string;
  /** Of a request to a table: the partition key of its item, and every attribute that it names. */
  item?: { leading_key: string; attributes: string[] };
}

export interface Statement {
  allow: boolean;
  actions: RegExp[];
  resources: RegExp[];
  /** Only for requests to such items, and to no other attributes of them. */
  items?: { leading_keys: RegExp[]; attributes: string[] };
}

/** Whether at least one statement covers the permission and none of those denies it. */
export function isAllowed(statements: readonly Statement[], { action, resource, item }: Right): boolean {
  const fitting = statements.filter(
    (statement) =>
      statement.actions.some((pattern) => pattern.test(action)) &&
      statement.resources.some((pattern) => pattern.test(resource)) &&
      coversItem(statement, item),
  );
  return fitting.length > 0 && fitting.every((statement) => statement.allow);
}

function coversItem({ items }: Statement, item: Right['item']): boolean {
  if (!items) return true;
  return (
    item !== undefined &&
    items.leading_keys.some((pattern) => pattern.test(item.leading_key)) &&
    item.attributes.every((name) => items.attributes.includes(name))
  );
}
