// The body of the API's error envelope. Imports little on purpose: the pages use it too, and bundle neither zod nor the
// logger.
import type { ErrorCode } from '#contract/errors.ts';
import { docUrl } from '#domain/runs/doc-url.ts';

interface Failure<Type> {
  code: ErrorCode;
  type: Type;
  message: string;
  param?: string | undefined;
  details?: object | undefined;
}

/** The envelope of an error (rules.md: errors 1). */
export function envelope<Type extends string>(failure: Failure<Type>, request_id: string) {
  const { code, type, message, param, details } = failure;
  return {
    error: {
      code,
      type,
      message,
      doc_url: docUrl(code),
      request_id,
      ...(param !== undefined && { param }),
      ...(details && { details: { ...details } }),
    },
  };
}
