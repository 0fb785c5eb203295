// The throttle of a method: a bucket that fills at the stage's rate, up to its burst.
import { beforeAll, expect, test } from 'vitest';
import { type Admits, methodThrottles } from '../../lib/local/api-gateway/method-throttles.ts';
import { type Started, startFixture } from './fixture/start.ts';

const settings = [
  { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 },
  { HttpMethod: 'GET', ResourcePath: '/~1v1~1things~1{id}', ThrottlingRateLimit: 2, ThrottlingBurstLimit: 4 },
];

let admits: Admits;
let now = 0;
let started: Started;
beforeAll(async () => {
  started = await startFixture(({ Resources }) => {
    Object.assign(Object(Resources.Stage).Properties, { MethodSettings: settings });
  });
  admits = methodThrottles(started.runtime.stack, () => now);
  return () => started.end();
});

/** How many of 100 requests are admitted. */
const admitted = (method: string, resource: string) =>
  Array.from({ length: 100 }, () => admits({ method, resource })).filter(Boolean).length;

test('a method has a burst, then what its rate fills; another method has another bucket', () => {
  expect(admitted('GET', '/v1/things/{id}')).toBe(4);
  expect(admitted('POST', '/v1/things/{id}')).toBe(20);
  expect(admitted('GET', '/v1/others')).toBe(20);
  now += 1500;
  expect(admitted('GET', '/v1/things/{id}')).toBe(3);
  expect(admitted('GET', '/v1/others')).toBe(15);
  now += 3600_000;
  expect(admitted('GET', '/v1/things/{id}')).toBe(4);
});
