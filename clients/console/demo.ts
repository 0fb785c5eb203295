// The key of a demo workspace, where a service has one to hand out: its page says where.

const path = document.documentElement.dataset.demo;

/** Whether there is one. */
export const hasDemo: boolean = path !== undefined;

/** Asks for the key. Throws Error when it is refused. */
export async function demoKey(): Promise<string> {
  const reply = await fetch(new URL(path ?? '', location.origin + location.pathname), { method: 'POST' });
  const answer: unknown = reply.ok ? await reply.json() : undefined;
  if (typeof answer === 'object' && answer !== null && 'api_key' in answer) return String(answer.api_key);
  throw new Error('The service gives its demo key only to a browser of its own user on the same machine.');
}
