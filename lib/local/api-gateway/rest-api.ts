// The REST API as the template declares it: routes, integrations, stage and gateway responses.
import { isObject, type JsonObject, numberAt, objectAt, optionalString, stringAt } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import type { Stack } from '../template/template.ts';

/** The function behind a route. */
interface Integration {
  functionName: string;
  streams: boolean;
  timeoutMs: number;
}

/** A segment of a route's path: a literal, or a parameter for one segment or for all remaining ones. */
type Segment = { literal: string } | { parameter: string; takesRest: boolean };

export interface Route {
  method: string;
  /** The template's path, `/v1/runs/{id}`. */
  resource: string;
  resourceId: string;
  segments: Segment[];
  integration: Integration;
}

/** One of the template's gateway responses. */
export interface GatewayResponse {
  status: number | undefined;
  template: string | undefined;
  headers: Record<string, string>;
}

export interface RestApi {
  stage: string;
  routes: Route[];
  responses: ReadonlyMap<string, GatewayResponse>;
}

/** A route that matches a path, with its raw path parameters. */
export interface Match {
  route: Route;
  parameters: Record<string, string>;
}

const DEFAULT_TIMEOUT_MS = 29_000;

/** Reads the API. Throws SetupError for an unsupported integration or method. */
export function readRestApi(stack: Stack): RestApi {
  const paths = resourcePaths(stack);
  const stage = stack.ofType('AWS::ApiGateway::Stage')[0];
  return {
    stage: stage ? stage.attributes.ref : 'api',
    routes: stack.ofType('AWS::ApiGateway::Method').map(({ id, properties }) => {
      const resourceId = stringAt(properties.ResourceId, `${id}.ResourceId`);
      const resource = paths.get(resourceId) ?? '/';
      if (properties.AuthorizationType !== undefined && properties.AuthorizationType !== 'NONE') {
        throw new SetupError(`${id}: the local runtime knows no authorizers`);
      }
      return {
        method: stringAt(properties.HttpMethod, `${id}.HttpMethod`),
        resource,
        resourceId,
        segments: resource.split('/').slice(1).map(segmentOf),
        integration: readIntegration(objectAt(properties.Integration, `${id}.Integration`), id, stack),
      };
    }),
    responses: new Map(
      stack
        .ofType('AWS::ApiGateway::GatewayResponse')
        .map(({ id, properties }) => readResponse(properties, id)),
    ),
  };
}

function segmentOf(part: string): Segment {
  const [, parameter, rest] = /^\{([^}+]+)(\+?)\}$/.exec(part) ?? [];
  return parameter === undefined ? { literal: part } : { parameter, takesRest: rest === '+' };
}

function resourcePaths(stack: Stack): Map<string, string> {
  const declared = new Map(
    stack
      .ofType('AWS::ApiGateway::Resource')
      .map((resource) => [resource.attributes.ref, resource.properties]),
  );
  const pathOf = (id: string): string => {
    const properties = declared.get(id);
    return properties
      ? `${pathOf(stringAt(properties.ParentId, id))}/${stringAt(properties.PathPart, id)}`
      : '';
  };
  return new Map([['root', '/'], ...[...declared.keys()].map((id) => [id, pathOf(id)] as const)]);
}

function readIntegration(properties: JsonObject, id: string, stack: Stack): Integration {
  if (properties.Type !== 'AWS_PROXY')
    throw new SetupError(`${id}: the local runtime does not know the integration ${properties.Type}`);
  const uri = stringAt(properties.Uri, `${id}.Integration.Uri`);
  const functionName =
    /\/functions\/arn:[^/]*:function:([^/:]+)[^/]*\/(response-streaming-)?invocations$/.exec(uri)?.[1];
  if (functionName === undefined) throw new SetupError(`${id}: ${uri} is no function's integration`);
  const target = stack.ofType('AWS::Lambda::Function').find((f) => f.attributes.ref === functionName);
  if (!target) throw new SetupError(`${id}: there is no function ${functionName}`);
  const streams = properties.ResponseTransferMode === 'STREAM';
  if (streams !== uri.endsWith('/response-streaming-invocations'))
    throw new SetupError(`${id}: its transfer mode and its Uri disagree`);
  return {
    functionName,
    streams,
    timeoutMs: numberAt(properties.TimeoutInMillis, DEFAULT_TIMEOUT_MS, id),
  };
}

function readResponse(properties: JsonObject, id: string): [string, GatewayResponse] {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(objectAt(properties.ResponseParameters, id))) {
    headers[name.replace('gatewayresponse.header.', '')] = stringAt(value, `${id} ${name}`);
  }
  const templates = isObject(properties.ResponseTemplates) ? properties.ResponseTemplates : {};
  const status = properties.StatusCode === undefined ? undefined : numberAt(properties.StatusCode, 0, id);
  return [
    stringAt(properties.ResponseType, id),
    { status, template: optionalString(templates['application/json']), headers },
  ];
}

/** Finds the route of a method and a path without the stage: a literal beats `{name}`, which beats `{name+}`. */
export function matchRoute(routes: Route[], method: string, path: string): Match | undefined {
  const segments = path.split('/').slice(1);
  let best: { match: Match; rank: string } | undefined;
  for (const route of routes) {
    if (route.method !== method && route.method !== 'ANY') continue;
    const found = matchSegments(route, segments);
    if (found && (!best || found.rank < best.rank)) best = found;
  }
  return best?.match;
}

/** Whether a path of this many segments can match: most routes are ruled out by that alone. */
function mayTake({ segments }: Route, count: number): boolean {
  const last = segments.at(-1);
  const takesRest = last !== undefined && 'takesRest' in last && last.takesRest;
  return takesRest ? count >= segments.length : count === segments.length;
}

function matchSegments(route: Route, segments: string[]): { match: Match; rank: string } | undefined {
  if (!mayTake(route, segments.length)) return undefined;
  const parameters: Record<string, string> = {};
  let rank = '';
  for (const [index, part] of route.segments.entries()) {
    const segment = segments[index];
    if (segment === undefined) return undefined;
    if ('literal' in part) {
      if (part.literal !== segment) return undefined;
      rank += '0';
    } else if (part.takesRest) {
      parameters[part.parameter] = segments.slice(index).join('/');
      return { match: { route, parameters }, rank: `${rank}2` };
    } else {
      if (segment === '') return undefined;
      parameters[part.parameter] = segment;
      rank += '1';
    }
  }
  return { match: { route, parameters }, rank: `${rank}${route.method === 'ANY' ? '1' : '0'}` };
}
