// The function behind a name on the command line.
import { type Route, routes } from '../../functions/contract/routes.ts';

const rows: Readonly<Record<string, Route>> = routes;

/** The function that serves the route of this name; the name itself where no route has it. */
export const functionNamed = (name: string): string =>
  (Object.hasOwn(rows, name) && rows[name]?.function) || name;
