// Live sources: other systems whose records a fetch reads while its run goes on.
import * as z from 'zod';
import { isJsonObject, JsonObject, text } from './json.ts';
import { limits } from './limits.ts';
import { fixedSource } from './source-names.ts';

/** The name of a source, by which a fetch names it. */
const SourceName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, 'not a small letter and up to 63 of a-z, 0-9, _ and -')
  .refine((name) => fixedSource(name) === undefined, 'the name has a meaning of its own');

const fieldKinds = ['string', 'number', 'boolean'] as const;
const SourceField = z
  .strictObject({ name: text(1, 200), kind: z.enum(fieldKinds).meta({ id: 'SourceFieldKind' }) })
  .meta({ id: 'SourceField' });

/** Headers that a call sets itself. */
const OWN_HEADERS =
  /^(host|connection|content-length|content-type|transfer-encoding|x-request-id|x-service-.*)$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

const Headers = z
  .custom<Record<string, string>>(isJsonObject, 'not an object')
  .superRefine((headers, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    const names = Object.keys(headers);
    if (names.length > limits.source_headers_max)
      return refuse([], `more than ${limits.source_headers_max} headers`);
    for (const [name, value] of Object.entries<unknown>(headers)) {
      if (!HEADER_NAME.test(name)) refuse([name], 'not a name of a header');
      else if (OWN_HEADERS.test(name)) refuse([name], 'the service sets this header itself');
      else if (names.some((other) => other !== name && other.toLowerCase() === name.toLowerCase()))
        refuse([name], 'the header is there twice');
      if (typeof value !== 'string' || !HEADER_VALUE.test(value))
        refuse([name], 'not a string of printable ASCII characters');
    }
    if (Buffer.byteLength(JSON.stringify(headers)) > limits.source_headers_max_bytes)
      refuse([], `more than ${limits.source_headers_max_bytes} bytes of JSON`);
  });

/** The file of an admin command (rules.md: sources 1). */
export const SourceFile = z
  .strictObject({
    name: SourceName,
    kind: z.enum(['http', 'mcp']),
    url: z.string(),
    description: text(0, 500).default(''),
    entity_type: text(1, 100).optional(),
    tool: text(1, 200).optional(),
    headers: Headers.default({}),
    fields: z
      .array(SourceField)
      .max(limits.source_fields_max)
      .refine(
        (fields) => new Set(fields.map(({ name }) => name)).size === fields.length,
        'a field is there twice',
      )
      .default([]),
    timeout_ms: z
      .number()
      .int()
      .min(limits.source_timeout_min_ms)
      .max(limits.source_timeout_max_ms)
      .default(limits.source_timeout_default_ms),
  })
  .superRefine(({ kind, tool }, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['tool'], message });
    if (kind === 'mcp' && tool === undefined) refuse('is missing');
    if (kind === 'http' && tool !== undefined) refuse('only a source of kind mcp has a tool');
  })
  .transform((file) => ({ ...file, entity_type: file.entity_type ?? file.name }));
export type SourceFile = z.infer<typeof SourceFile>;

/** A source as its workspace sees it. */
export const DescribedSource = z
  .object({
    name: z.string(),
    kind: z.enum(['http', 'mcp']).meta({ id: 'SourceKind' }),
    description: z.string(),
    entity_type: z.string(),
    fields: z.array(SourceField),
  })
  .meta({ id: 'Source' });
export type DescribedSource = z.infer<typeof DescribedSource>;

/** Body of `GET /sources`. */
export const SourceList = z
  .strictObject({ object: z.literal('list'), data: z.array(DescribedSource) })
  .meta({ id: 'SourceList' });

const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined);

/** An item of a page. */
export const SourceItem = z.object({
  id: optional(z.union([text(1, 500), z.number()])),
  name: text(1, limits.source_item_name_max_characters),
  type: optional(text(1, 100)),
  fields: JsonObject.nullish().transform((fields) => fields ?? {}),
  external_uri: optional(text(1, limits.external_uri_max_characters)),
});
export type SourceItem = z.infer<typeof SourceItem>;

/** One page of a source (rules.md: sources 3). Further members are ignored; null is absent. */
export const SourcePage = z.object({
  items: z.array(SourceItem),
  next_cursor: optional(z.union([z.string(), z.number()]).transform(String)),
});
export type SourcePage = z.infer<typeof SourcePage>;
