// Middleware: the query parameters that a route knows, each sent at most once and checked.
import * as z from 'zod';
import type { Route } from '#contract/routes.ts';
import { check, invalid } from './check.ts';
import type { HttpRequest } from './http-request.ts';
import type { Middleware } from './middleware.ts';

/** The query of a route, as its handler receives it. */
export type QueryOf<R extends Route> = R['query'] extends z.ZodType
  ? z.output<R['query']>
  : Record<never, never>;

/**
 * The one value of a parameter; none when it was not sent. Throws schema_validation_failed when it was sent more than
 * once.
 */
function sentValue(request: HttpRequest, name: string): string | undefined {
  const [value, ...more] = request.query[name] ?? [];
  if (more.length === 0) return value;
  throw invalid(name, {
    code: 'custom',
    expected: 'one value',
    received: String(more.length + 1),
    message: 'The parameter was sent more than once',
  });
}

/**
 * Adds the query. Throws schema_validation_failed, missing_required_field.
 */
export function readQuery<R extends Route>(route: R): Middleware<{ query: QueryOf<R> }> {
  const schema: z.ZodObject = route.query ?? z.strictObject({});
  return {
    before: ({ context }) => {
      const sent = Object.keys(context.request.query).map((name) => [name, sentValue(context.request, name)]);
      // The schema is this route's own, so its output is what QueryOf says.
      context.query = check(schema, Object.fromEntries(sent)) as QueryOf<R>;
    },
  };
}
