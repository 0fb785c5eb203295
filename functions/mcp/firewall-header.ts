// The requests of the MCP endpoint come from a few addresses, which the stage's firewall would count as single callers.
import { FIREWALL_PASS } from '#contract/headers.ts';
import { optionalEnv } from '#platform/env.ts';

/** `send`, with the pass of the stage's firewall, if the stage has one. */
export function withFirewallPass(send: typeof fetch): typeof fetch {
  const pass = optionalEnv('FIREWALL_PASS');
  if (pass === undefined) return send;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set(FIREWALL_PASS, pass);
    return send(input, { ...init, headers });
  };
}
