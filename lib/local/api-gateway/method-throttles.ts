// The throttles of the API's methods, as the stage declares them: each method has its own bucket of requests.
import { type JsonObject, listAt, numberAt, objectAt, stringAt } from '../json-values.ts';
import type { Stack } from '../template/template.ts';
import type { Route } from './rest-api.ts';

/** Admits a request to a route; false if the bucket of its method is empty. */
export type Admits = (route: Pick<Route, 'method' | 'resource'>) => boolean;

interface Throttle {
  per_second: number;
  burst: number;
}

interface Bucket {
  left: number;
  filledAt: number;
}

/** The throttles of the stage. A method without a setting shares the numbers of all methods, not their bucket. */
export function methodThrottles(stack: Stack, nowMs: () => number): Admits {
  const throttles = readThrottles(stack);
  const buckets = new Map<string, Bucket>();
  return ({ method, resource }) => {
    const name = `${method} ${resource}`;
    const throttle = throttles.get(name) ?? throttles.get(ALL);
    if (!throttle) return true;
    const now = nowMs();
    const { left, filledAt } = buckets.get(name) ?? { left: throttle.burst, filledAt: now };
    const filled = Math.min(throttle.burst, left + ((now - filledAt) / 1000) * throttle.per_second);
    buckets.set(name, { left: Math.max(0, filled < 1 ? filled : filled - 1), filledAt: now });
    return filled >= 1;
  };
}

const ALL = '* /*';

function readThrottles(stack: Stack): Map<string, Throttle> {
  return new Map(
    stack.ofType('AWS::ApiGateway::Stage').flatMap(({ id, properties }) =>
      listAt(properties.MethodSettings ?? [], `${id}.MethodSettings`).flatMap((one) => {
        const setting = objectAt(one, `${id}.MethodSettings`);
        return setting.ThrottlingRateLimit === undefined ? [] : [throttleOf(setting, id)];
      }),
    ),
  );
}

/** The path of a setting is `/` and the resource's path, in which each `/` is `~1`. */
function throttleOf(setting: JsonObject, id: string): [name: string, throttle: Throttle] {
  const path = stringAt(setting.ResourcePath, `${id}.ResourcePath`);
  const resource = path === '/*' ? path : path.slice(1).replaceAll('~1', '/') || '/';
  const per_second = numberAt(setting.ThrottlingRateLimit, 0, `${id}.ThrottlingRateLimit`);
  const burst = numberAt(setting.ThrottlingBurstLimit, per_second, `${id}.ThrottlingBurstLimit`);
  return [`${stringAt(setting.HttpMethod, `${id}.HttpMethod`)} ${resource}`, { per_second, burst }];
}
