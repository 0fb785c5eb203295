// The error envelope as clients read it: a union by code, each with the details of its row.
import * as z from 'zod';
import { componentName } from '../component-name.ts';
import { type ErrorCode, ErrorType, errorCodes, errors } from '../errors.ts';

/** Errors that the gateway may return itself, without details. */
export const gatewayErrors: readonly ErrorCode[] = [
  'payload_too_large',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
  'upstream_timeout',
];

const common = {
  message: z.string(),
  doc_url: z.string(),
  request_id: z.string(),
  param: z.string().optional(),
};
const withoutDetails = errorCodes.filter((code) => !errors[code].details);

/** The component name of a code's `details`. */
export function detailsName(code: ErrorCode): string | undefined {
  const { details } = errors[code];
  return details && (details.meta()?.id ?? componentName(code, 'Details'));
}

function detailedError(code: ErrorCode, details: z.ZodType) {
  const named = details.meta()?.id ? details : details.meta({ id: detailsName(code) });
  return z
    .strictObject({
      code: z.literal(code),
      type: z.literal(errors[code].type),
      ...common,
      details: gatewayErrors.includes(code) ? named.optional() : named,
    })
    .meta({ id: componentName(code, 'Error') });
}

const PlainError = z
  .strictObject({ code: z.enum(withoutDetails), type: ErrorType, ...common })
  .meta({ id: 'PlainError' });
const detailedErrors = errorCodes.flatMap((code) => {
  const { details } = errors[code];
  return details ? [detailedError(code, details)] : [];
});

/** The envelope of every error. */
export const ErrorReply = z
  .strictObject({
    error: z.discriminatedUnion('code', [PlainError, ...detailedErrors]).meta({ id: 'ErrorBody' }),
  })
  .meta({ id: 'Error' });
