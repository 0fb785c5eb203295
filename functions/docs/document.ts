// The committed OpenAPI document, typed for the pages.
import openapi from '#contract/openapi.json' with { type: 'json' };

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  properties?: Record<string, Schema | undefined>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
}

export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  description?: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

interface Media {
  schema?: Schema;
  example?: unknown;
}

export interface Reply {
  description: string;
  content?: Record<string, Media>;
  'x-error-codes'?: string[];
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[] | undefined>[];
  parameters: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Reply>;
}

export interface ErrorEntry {
  status: number;
  type: string;
  message: string;
  remedy: string;
  details?: { $ref: string };
  /** The text of each value of `details.reason`. */
  reasons?: Readonly<Record<string, string>>;
}

export interface ApiDocument {
  info: { title: string; version: string; description: string };
  servers: object[];
  externalDocs: { url: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    securitySchemes: Record<string, { description: string }>;
  };
}

export const apiDocument: ApiDocument = openapi;

/** Every error code with its row, in contract order. */
export const errorEntries: Readonly<Record<string, ErrorEntry>> =
  openapi.components.schemas.Error['x-error-codes'];

/** Codes of the short error form of inbound sync. */
export const syncErrorCodes: readonly string[] = openapi.components.schemas.SyncErrorCode.enum;

/** Host part of the service's address: the document's paths start with the stage's name. */
export function hostOf(siteUrl: string): string {
  return siteUrl.replace(/\/api$/, '');
}
