// Spans in OTLP/JSON.
import { type Span, STATUS_ERROR, type spanKinds } from '#contract/traces.ts';

/** What a span says; times are epoch ms. */
export interface SpanFacts {
  id: string;
  parent: string | undefined;
  name: string;
  kind: (typeof spanKinds)[keyof typeof spanKinds];
  start: number;
  /** Absent: it is not over. */
  end?: number | undefined;
  attributes: Readonly<Record<string, string | number | undefined>>;
  error?: string | undefined;
}

/** The attributes that have a value. */
export function attributesOf(all: SpanFacts['attributes']): Span['attributes'] {
  return Object.entries(all).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [{ key, value: typeof value === 'number' ? { intValue: `${value}` } : { stringValue: value } }];
  });
}

/** The span of a trace. */
export function spanOf(traceId: string, { id, parent, name, kind, start, end, ...facts }: SpanFacts): Span {
  return {
    traceId,
    spanId: id,
    ...(parent !== undefined && { parentSpanId: parent }),
    name,
    kind,
    startTimeUnixNano: nanos(start),
    ...(end !== undefined && { endTimeUnixNano: nanos(Math.max(start, end)) }),
    attributes: attributesOf(facts.attributes),
    status: facts.error === undefined ? {} : { code: STATUS_ERROR, message: facts.error },
  };
}

const nanos = (ms: number) => `${Math.trunc(ms)}000000`;
