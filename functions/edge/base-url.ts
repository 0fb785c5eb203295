// The base address of the API, as the caller of a request knows it.
import { env } from '#platform/env.ts';
import type { HttpRequest } from './http-request.ts';

/** The path starts with the stage unless a custom domain maps to it. */
const STAGE = /^\/api(\/|$)/;

/** Whether the address of a request contains the stage. */
export const hasStage = ({ path }: Pick<HttpRequest, 'path'>) => STAGE.test(path);

/** The address without a trailing slash. */
export function baseUrlOf(request: Pick<HttpRequest, 'path'>): string {
  const siteUrl = env('SITE_URL');
  return hasStage(request) ? `${siteUrl.replace(/\/api$/, '')}/api/v1` : `${siteUrl}/v1`;
}
