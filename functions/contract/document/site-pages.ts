// The further pages of the site, which share one function with the reference page.
import * as z from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { API_VERSION } from '../limits.ts';
import type { routes } from '../routes.ts';

type SitePath = (typeof routes.Console.also)[number];

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const Health = z
  .strictObject({ status: z.literal('ok'), api_version: z.literal(API_VERSION) })
  .meta({ id: 'Health' });

/** Operations of the site's further paths, without what all operations have. */
export const sitePages: Readonly<Record<SitePath, ZodOpenApiOperationObject>> = {
  '/api/docs/{page}': {
    operationId: 'ConsolePage',
    summary: 'A page of the reference',
    description:
      '`errors` explains every error code, each at the anchor of its name; the reference links the others.',
    responses: {
      200: {
        description: 'The page, or the style that the pages share.',
        headers: requestId,
        content: {
          'text/html': { schema: { type: 'string' } },
          'text/css': { schema: { type: 'string' } },
        },
      },
    },
  },
  '/api/openapi.json': {
    operationId: 'ConsoleOpenapi',
    summary: 'This document',
    responses: {
      200: {
        description: 'An OpenAPI 3.1 document.',
        headers: requestId,
        content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
      },
    },
  },
  '/api/health': {
    operationId: 'ConsoleHealth',
    summary: 'Whether the service answers',
    responses: {
      200: {
        description: 'It does.',
        headers: requestId,
        content: { 'application/json': { schema: Health } },
      },
    },
  },
};
