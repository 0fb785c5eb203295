// The site's paths for programs; pages for people are not part of the document.
import * as z from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { API_VERSION } from '../limits.ts';
import { exampleOf } from './examples.ts';

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const Health = z
  .strictObject({ status: z.literal('ok'), api_version: z.literal(API_VERSION) })
  .meta({ id: 'Health' });

const Addresses = z
  .strictObject({
    base_url: z.string(),
    docs_url: z.string(),
    openapi_url: z.string(),
    console_url: z.string(),
  })
  .meta({ id: 'SiteAddresses' });

/** Operations by path, without the members that all operations share. */
export const sitePages: Readonly<Record<string, ZodOpenApiOperationObject>> = {
  '/api/': {
    operationId: 'GetSite',
    summary: 'Read the addresses of the service',
    responses: {
      200: {
        description: 'The addresses.',
        headers: requestId,
        content: { 'application/json': { schema: Addresses, ...exampleOf('GetSite', '200') } },
      },
      302: { description: 'To the console, for a browser.', headers: requestId },
    },
  },
  '/api/openapi.json': {
    operationId: 'GetOpenApi',
    summary: 'Read this document',
    responses: {
      200: {
        description: 'An OpenAPI 3.1 document.',
        headers: requestId,
        content: {
          'application/json': {
            schema: { type: 'object', additionalProperties: true },
            ...exampleOf('GetOpenApi', '200'),
          },
        },
      },
    },
  },
  '/api/health': {
    operationId: 'GetHealth',
    summary: 'Check whether the service answers',
    responses: {
      200: {
        description: 'It does.',
        headers: requestId,
        content: { 'application/json': { schema: Health, ...exampleOf('GetHealth', '200') } },
      },
    },
  },
};
