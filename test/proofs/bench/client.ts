// A client of the service under the bench: creates 3-step runs and waits for their ends by long poll.

export interface Target {
  base_url: string;
  api_key: string;
}

const planOf = (trigger = '', source = 'companies') => ({
  title: 'Companies in Berlin',
  steps: [
    { kind: 'fetch', title: 'Companies', params: { source } },
    { kind: 'filter', title: 'In Berlin', instructions: `companies in Berlin${trigger}` },
    { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table', 'text'] } },
  ],
});

/** What a run may have besides its plan. */
export interface Wanted {
  callback_url?: string;
  output_schema?: object;
  /** For the offline model, in the instructions of the step that calls it. */
  trigger?: string;
  /** Of its first step. */
  source?: string;
}

/** One request; throws unless it is answered with `status`. */
export async function request(
  target: Target,
  method: string,
  path: string,
  status: number,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${target.base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.api_key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  const value: unknown = text === '' ? {} : JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error(`${method} ${path}: no object`);
  return Object.fromEntries(Object.entries(value));
}

/** Creates a run; returns its id and how long the answer took. */
export async function create(
  target: Target,
  { trigger, source, ...others }: Wanted = {},
): Promise<{ id: string; took_ms: number }> {
  const begun = performance.now();
  const run = await request(target, 'POST', '/runs', 202, {
    input_type: 'plan',
    plan: planOf(trigger, source),
    ...others,
  });
  return { id: String(run.id), took_ms: performance.now() - begun };
}

/** Waits until the run has succeeded. */
export async function succeeded(target: Target, id: string): Promise<void> {
  for (let cursor: string | undefined; ; ) {
    const query = new URLSearchParams({ 'keep-open': '1', ...(cursor !== undefined && { cursor }) });
    const page = await request(target, 'GET', `/runs/${id}/events?${query}`, 200);
    cursor = String(page.next_cursor);
    const types = Array.isArray(page.data) ? page.data.map((event) => String(event.event_type)) : [];
    if (types.includes('run.succeeded')) return;
    if (types.includes('run.failed')) throw new Error(`run ${id} failed`);
  }
}

/** Does `work` `times` times with `clients` at once. */
export async function inParallel(
  clients: number,
  times: number,
  work: () => Promise<unknown>,
): Promise<void> {
  let left = times;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}
