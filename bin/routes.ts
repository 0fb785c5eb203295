// Prints the API on one screen: method, path, handler, function and right of each route.
import { type Route, routes } from '../functions/contract/routes.ts';

const kebabCase = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

function handlerOf(name: string): string {
  if (name === 'Console') return 'docs/site.ts';
  return name === 'Mcp' ? 'mcp/mcp.ts' : `api/${kebabCase(name)}.ts`;
}

/** What a caller needs: a key with a scope, a key of any scope, or something in place of a key. */
function rightOf({ auth, scope }: Route): string {
  if (auth === 'key') return scope ?? 'any key';
  return [scope, auth].filter(Boolean).join(' or ');
}

const table = [
  ['METHOD', 'PATH', 'HANDLER', 'FUNCTION', 'RIGHT'],
  ...Object.entries<Route>(routes).map(([name, route]) => [
    route.any_method ? 'ANY' : route.method,
    route.path,
    handlerOf(name),
    route.function,
    rightOf(route),
  ]),
];
const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
process.stdout.write(table.map((row) => `${line(row).trimEnd()}\n`).join(''));
