// A request in one form for all gateways.
import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda';

/** A REST API's event (format 1.0) or a function URL's (2.0). */
export type GatewayEvent = APIGatewayProxyEvent | APIGatewayProxyEventV2;

/** The method of a request. */
export function methodOf(event: GatewayEvent): string {
  return 'rawPath' in event ? event.requestContext.http.method : event.httpMethod;
}

export interface HttpRequest {
  method: string;
  /** The path as the gateway knows it: a REST API's resource (`/docs/{page}`), the path itself at a function URL. */
  resource: string;
  /** The path as sent, with the stage if the address has one. */
  path: string;
  /** Names in lower case; of a repeated header the last value. */
  headers: Record<string, string | undefined>;
  /** Every value of every query parameter. */
  query: Record<string, string[]>;
  /** Parameters of the path. */
  params: Record<string, string | undefined>;
  /** The body's exact bytes; empty when none was sent, or when a gateway did not read one that is too long. */
  body: Buffer;
  /** The length of the body as sent. */
  body_bytes: number;
}
