// Posts traces to the collector that the operator has configured.

/** A collector that needs longer is asked again later. */
const TIMEOUT_MS = 10_000;
/** Where a collector takes traces, below its base address. */
const TRACES_PATH = '/v1/traces';

/**
 * Posts a trace in OTLP/JSON: `done`, `refused` for good, or `later`. The address is the operator's own and may be
 * inside their network, so it is not judged as those of tenants are.
 */
export async function postTrace(endpoint: string, trace: object): Promise<'done' | 'refused' | 'later'> {
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = TRACES_PATH;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(trace),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.ok) return 'done';
    return response.status === 429 || response.status >= 500 ? 'later' : 'refused';
  } catch {
    return 'later';
  }
}
