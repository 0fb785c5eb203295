// The trace of a run in the JSON encoding of OTLP, which has its own names and writes large integers as texts.
import * as z from 'zod';

const Nanos = z.string().regex(/^\d+$/);
const TextValue = z.strictObject({ stringValue: z.string() }).meta({ id: 'TraceText' });
const IntegerValue = z.strictObject({ intValue: z.string() }).meta({ id: 'TraceInteger' });
const Attribute = z
  .strictObject({ key: z.string(), value: z.union([TextValue, IntegerValue]).meta({ id: 'TraceValue' }) })
  .meta({ id: 'TraceAttribute' });

/** Values of `kind` and of `status.code` that a trace of a run uses. */
export const spanKinds = { internal: 1, client: 3 } as const;
export const STATUS_ERROR = 2;

const Span = z
  .strictObject({
    traceId: z.string().regex(/^[0-9a-f]{32}$/),
    spanId: z.string().regex(/^[0-9a-f]{16}$/),
    parentSpanId: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .optional(),
    name: z.string(),
    kind: z.number().int(),
    startTimeUnixNano: Nanos,
    endTimeUnixNano: Nanos.optional(),
    attributes: z.array(Attribute),
    status: z
      .strictObject({ code: z.number().int().optional(), message: z.string().optional() })
      .meta({ id: 'TraceStatus' }),
  })
  .meta({ id: 'TraceSpan' });
export type Span = z.infer<typeof Span>;

const Resource = z.strictObject({ attributes: z.array(Attribute) }).meta({ id: 'TraceResource' });
const Scope = z.strictObject({ name: z.string(), version: z.string() }).meta({ id: 'TraceScope' });
const ScopeSpans = z.strictObject({ scope: Scope, spans: z.array(Span) }).meta({ id: 'TraceScopeSpans' });
const ResourceSpans = z
  .strictObject({ resource: Resource, scopeSpans: z.array(ScopeSpans) })
  .meta({ id: 'TraceResourceSpans' });

export const Trace = z.strictObject({ resourceSpans: z.array(ResourceSpans) }).meta({ id: 'Trace' });
export type Trace = z.infer<typeof Trace>;
