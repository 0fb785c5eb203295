// Function URLs of the template; the gateway serves them under its own address.
import { SetupError } from '../setup-error.ts';
import type { Stack } from '../template/template.ts';

/** Names of the functions that have a URL. Throws SetupError for unsupported settings. */
export function readFunctionUrls(stack: Stack): Set<string> {
  const urls = stack.ofType('AWS::Lambda::Url');
  const other = urls.find(
    ({ properties }) => properties.Cors !== undefined || properties.InvokeMode !== 'RESPONSE_STREAM',
  );
  if (other)
    throw new SetupError(
      `${other.id}: the local runtime knows function URLs only in RESPONSE_STREAM mode without Cors`,
    );
  return new Set(urls.map(({ attributes }) => attributes.ref.split(':').at(-1) ?? ''));
}
