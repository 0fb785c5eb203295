// Asks each endpoint of the settings one small question (rules.md: models 11).
import type { EndpointCheck } from '#contract/endpoint-check.ts';
import type { Endpoint } from './endpoint.ts';
import { limitsOf } from './endpoint-limits.ts';
import { settingsOf } from './endpoint-settings.ts';
import { modelEnv } from './model-env.ts';

/** A model on one machine may have to be loaded first. */
const ASKED_WITHIN_MS = 60_000;

/** What each endpoint answers, the embedding last; none with the offline model. */
export async function checkModels(): Promise<{ endpoints: EndpointCheck[] }> {
  const env = modelEnv();
  const { chat, embedding } = settingsOf(env);
  if (chat.length === 0 && !embedding) return { endpoints: [] };
  const { checkEndpoint } = await import('./ai-sdk/providers.ts');
  const check = async (kind: 'chat' | 'embedding', endpoint: Endpoint): Promise<EndpointCheck> => {
    const signal = AbortSignal.timeout(Math.min(endpoint.timeout_ms, ASKED_WITHIN_MS));
    const { stated, ...seen } = await checkEndpoint(kind, endpoint, env, signal);
    const { context_tokens } = limitsOf(endpoint, stated);
    return { name: endpoint.name, ...seen, ...wrongLength(endpoint, seen), context_tokens };
  };
  const endpoints = [
    ...chat.map((endpoint) => check('chat', endpoint)),
    ...(embedding ? [check('embedding', embedding)] : []),
  ];
  return { endpoints: await Promise.all(endpoints) };
}

/** An embedding whose file says other dimensions answers, but not as it should. */
function wrongLength(
  { dimensions }: Endpoint,
  seen: Pick<EndpointCheck, 'dimensions'>,
): Pick<EndpointCheck, 'provider'> {
  if (dimensions === undefined || seen.dimensions === undefined || dimensions === seen.dimensions) return {};
  const message = `its vectors have ${seen.dimensions} dimensions, the models file says ${dimensions}`;
  return { provider: { message } };
}
