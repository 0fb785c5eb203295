// Live sources: other systems whose records a fetch reads while its run goes on.
import * as z from 'zod';
import { expandSchema } from './expand-schema.ts';
import { isJsonObject, JsonObject, text } from './json.ts';
import { limits } from './limits.ts';
import { type OutputSchema, typeOf } from './output-schema.ts';
import { type SentSchema, WholeOutputSchema } from './sent-schema.ts';
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

const Fields = z
  .array(SourceField)
  .max(limits.source_fields_max)
  .refine(
    (fields) => new Set(fields.map(({ name }) => name)).size === fields.length,
    'a field is there twice',
  )
  .default([]);
const Description = text(0, 500).default('');
const EntityType = text(1, 100).optional();

const paged = {
  name: SourceName,
  url: z.string(),
  description: Description,
  entity_type: EntityType,
  headers: Headers.default({}),
  fields: Fields,
  timeout_ms: z
    .number()
    .int()
    .min(limits.source_timeout_min_ms)
    .max(limits.source_timeout_max_ms)
    .default(limits.source_timeout_default_ms),
};

const seconds = (least: number, most: number) => z.number().int().min(least).max(most);
const { job_timeout_min_seconds, job_timeout_max_seconds, job_timeout_default_seconds } = limits;
const JobTimeout = seconds(job_timeout_min_seconds, job_timeout_max_seconds);

/** The schema of an answer: an object of scalars, enums and arrays of scalars (rules.md: jobs 12). */
const AnswerSchema: z.ZodType<SentSchema> = WholeOutputSchema.check(({ value, issues }) => {
  const { schema, faults } = expandSchema(value);
  if (faults.length > 0) return;
  const isScalar = (one: OutputSchema) => !['object', 'array'].includes(typeOf(one) ?? 'string');
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    if (isScalar(one) || (typeOf(one) === 'array' && one.items && isScalar(one.items))) continue;
    const message = 'neither a scalar, nor an enum, nor an array of scalars';
    issues.push({ code: 'custom', path: ['properties', name], message, input: value });
  }
});

/** The file of an admin command (rules.md: sources 1, jobs 1). */
export const SourceFile = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('http'),
      ...paged,
      tool: z.undefined('only a source of kind mcp has a tool').optional(),
    }),
    z.strictObject({ kind: z.literal('mcp'), ...paged, tool: text(1, 200) }),
    z.strictObject({
      kind: z.literal('job'),
      name: SourceName,
      url: z.string(),
      description: Description,
      entity_type: EntityType,
      headers: Headers.default({}),
      fields: Fields,
      timeout_seconds: JobTimeout.default(job_timeout_default_seconds),
      heartbeat_seconds: seconds(
        limits.job_heartbeat_min_seconds,
        limits.job_heartbeat_max_seconds,
      ).optional(),
      attempts: seconds(1, limits.job_attempts_max).default(limits.job_attempts_default),
    }),
    z.strictObject({
      kind: z.literal('person'),
      name: SourceName,
      title: text(1, limits.question_title_max_characters),
      instructions: text(0, limits.question_instructions_max_characters).default(''),
      schema: AnswerSchema,
      notify_url: z.string().optional(),
      entity_type: EntityType,
      timeout_seconds: JobTimeout.default(job_timeout_max_seconds),
    }),
  ])
  .transform((file) => ({ ...file, entity_type: file.entity_type ?? file.name }));
export type SourceFile = z.infer<typeof SourceFile>;

/** A source as its workspace sees it; a person's is described by its title. */
export const DescribedSource = z
  .object({
    name: z.string(),
    kind: z.enum(['http', 'mcp', 'job', 'person']).meta({ id: 'SourceKind' }),
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
export const SourceItem = z
  .object({
    id: z
      .union([text(1, 500), z.number()])
      .meta({ id: 'ExternalItemId' })
      .nullish()
      .meta({ id: 'SourceItemId' })
      .transform((value) => value ?? undefined),
    name: text(1, limits.source_item_name_max_characters),
    type: optional(text(1, 100)),
    fields: JsonObject.nullish().transform((fields) => fields ?? {}),
    external_uri: optional(text(1, limits.external_uri_max_characters)),
  })
  .meta({ id: 'SourceItem' });
export type SourceItem = z.infer<typeof SourceItem>;

/** One page of a source (rules.md: sources 3). Further members are ignored; null is absent. */
export const SourcePage = z.object({
  items: z.array(SourceItem),
  next_cursor: optional(z.union([z.string(), z.number()]).transform(String)),
});
export type SourcePage = z.infer<typeof SourcePage>;
