// Middleware: the query parameters that a route knows, each sent at most once and checked.
import * as z from 'zod';
import type { Route } from '#contract/routes.ts';
import { check, invalid } from './check-schema.ts';
import type { HttpRequest } from './http-request.ts';
import type { Middleware } from './middleware.ts';

/** The query of a route, as its handler receives it. */
export type QueryOf<R extends Route> = R['query'] extends z.ZodType
  ? z.output<R['query']>
  : Record<never, never>;

const NONE = z.strictObject({});

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

/** The checked query of a request. Throws schema_validation_failed, missing_required_field. */
export function queryOf<R extends Route>(route: R, request: HttpRequest): QueryOf<R> {
  const sent = Object.keys(request.query).map((name) => [name, sentValue(request, name)]);
  // The schema is this route's own, so its output is what QueryOf says.
  return check(route.query ?? NONE, Object.fromEntries(sent), [], 'query parameter') as QueryOf<R>;
}

/** Adds the query. Throws what `queryOf` throws. */
export function readQuery<R extends Route>(route: R): Middleware<{ query: QueryOf<R> }> {
  return {
    before: ({ context }) => {
      context.query = queryOf(route, context.request);
    },
  };
}
