// Middleware: the route behind a function URL, which passes requests of any path and method to its function.
import { fail } from '#contract/errors.ts';
import type { Route } from '#contract/routes.ts';
import type { Middleware } from './middleware.ts';

/** The path parameters, or undefined for a path of another shape. */
function pathParams(path: string, template: string): Record<string, string | undefined> | undefined {
  const pattern = template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${pattern}$`).exec(path)?.groups;
}

/**
 * Reads the path parameters of a function URL; a REST API has done both already. Throws not_found for another path or
 * method.
 */
export function matchRoute({ path }: Route, methods: readonly string[]): Middleware {
  return {
    before: ({ event, context }) => {
      if (!('rawPath' in event)) return;
      const params = pathParams(event.rawPath, path);
      const { method } = context.request;
      if (!params || !methods.includes(method)) throw fail('not_found');
      context.request.params = params;
    },
  };
}
