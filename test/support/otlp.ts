// The official schema of OTLP: what a collector makes of a trace.
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';
import type { Span, Trace } from '../../functions/contract/traces.ts';

// The package declares no type of it.
const request = Object(root).opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

/** Ids are hexadecimal in OTLP/JSON, bytes in the schema. */
const withBytes = (trace: Trace) =>
  JSON.parse(JSON.stringify(trace), (name, value) =>
    /^(trace|span|parentSpan)Id$/.test(name) ? Buffer.from(value, 'hex').toString('base64') : value,
  );

/** The trace as a collector reads it back from bytes; throws what the schema does not allow. */
export function readByCollector(trace: Trace): Trace {
  const sent = withBytes(trace);
  const message = request.fromObject(sent);
  const problem = request.verify(message);
  if (problem) throw new Error(problem);
  const read = request.decode(request.encode(message).finish());
  const plain = request.toObject(read, { longs: String, bytes: String });
  return JSON.parse(JSON.stringify(plain), (name, value) =>
    /^(trace|span|parentSpan)Id$/.test(name) ? Buffer.from(value, 'base64').toString('hex') : value,
  );
}

/** The spans of a trace. */
export const spansOf = (trace: Trace): Span[] =>
  trace.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

/** The attributes of a span by name; numbers as such. */
export const attributesOf = ({ attributes }: Span): Record<string, string | number> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      'intValue' in value ? Number(value.intValue) : value.stringValue,
    ]),
  );
