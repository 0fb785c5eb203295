// Which functions work in the background: they yield the processor to requests.

import type { Stack } from '../template/template.ts';
import { readFunctionUrls } from './function-urls.ts';
import { readRestApi } from './rest-api.ts';

/** Whether no request waits for the function. */
export function backgroundOf(stack: Stack): (name: string) => boolean {
  const integrated = readRestApi(stack).routes.flatMap(({ integration }) =>
    integration.kind === 'function' ? [integration.functionName] : [],
  );
  const waitedFor = new Set([...integrated, ...readFunctionUrls(stack)]);
  return (name) => !waitedFor.has(name);
}
