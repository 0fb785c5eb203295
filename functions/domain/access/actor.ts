// Who acts, for the audit (rules.md: audit 1).
import type { Actor } from '#store/workspaces/audit.ts';
import type { Caller } from './authenticate.ts';

/** The actor behind a request with a key. */
export function actorOf({ caller, request_id }: { caller: Caller; request_id: string }): Actor {
  return { actor: caller.key.key_id, request_id };
}

/** An administrator behind a command. */
export const adminActor = (request_id: string): Actor => ({ actor: 'admin', request_id });
