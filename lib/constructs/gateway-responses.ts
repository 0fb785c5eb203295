// The gateway's own responses: the error envelope with fixed texts and nothing from the caller.
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { corsHeaders } from '../../functions/contract/cors.ts';
import { type ErrorCode, errors, retryAfterStatuses } from '../../functions/contract/errors.ts';

interface GatewayAnswer {
  code: ErrorCode;
  message?: string;
  details?: object;
}

/**
 * The gateway rejects an unknown route in several ways, depending on its Authorization header. No route uses a gateway
 * authorizer, so each of these rejections means that the route does not exist.
 */
const noSuchRoute: GatewayAnswer = { code: 'not_found' };
const badRequest: GatewayAnswer = { code: 'schema_validation_failed', details: { issues: [] } };
const throttled: GatewayAnswer = { code: 'rate_limit_exceeded' };
const busy: GatewayAnswer = { code: 'service_unavailable' };
const broken: GatewayAnswer = { code: 'internal_error' };

const answers: readonly [ResponseType, GatewayAnswer][] = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, noSuchRoute],
  [ResponseType.RESOURCE_NOT_FOUND, noSuchRoute],
  [ResponseType.ACCESS_DENIED, noSuchRoute],
  [ResponseType.INVALID_SIGNATURE, noSuchRoute],
  [ResponseType.EXPIRED_TOKEN, noSuchRoute],
  [ResponseType.BAD_REQUEST_BODY, badRequest],
  [ResponseType.BAD_REQUEST_PARAMETERS, badRequest],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, badRequest],
  [ResponseType.DEFAULT_4XX, badRequest],
  [ResponseType.REQUEST_TOO_LARGE, { code: 'payload_too_large', message: 'The request is too large.' }],
  [ResponseType.THROTTLED, throttled],
  [ResponseType.QUOTA_EXCEEDED, throttled],
  // The firewall's one rule limits the rate of requests.
  [ResponseType.WAF_FILTERED, throttled],
  [ResponseType.INTEGRATION_TIMEOUT, { code: 'upstream_timeout' }],
  // Mostly a function without free concurrency, which passes.
  [ResponseType.INTEGRATION_FAILURE, busy],
  [ResponseType.DEFAULT_5XX, broken],
];

/** Adds a response for each rejection and failure of the gateway itself (rules.md: request 3). */
export function addGatewayResponses(api: RestApi, siteUrl: string): void {
  for (const [type, answer] of answers) {
    const { status } = errors[answer.code];
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(status),
      templates: { 'application/json': envelope(answer, siteUrl) },
      responseHeaders: {
        'X-Request-Id': 'context.requestId',
        // The gateway cannot distinguish paths here, so its responses to inbound sync have them too.
        ...Object.fromEntries(Object.entries(corsHeaders).map(([name, value]) => [name, `'${value}'`])),
        'Cache-Control': "'no-store'",
        ...(retryAfterStatuses.has(status) && { 'Retry-After': "'1'" }),
      },
    });
  }
}

function envelope({ code, message, details }: GatewayAnswer, siteUrl: string): string {
  return JSON.stringify({
    error: {
      code,
      type: errors[code].type,
      message: message ?? errors[code].message,
      doc_url: `${siteUrl}/docs/errors#${code}`,
      request_id: '$context.requestId',
      ...(details && { details }),
    },
  });
}
