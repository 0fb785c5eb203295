// `vector rebuild`: one invocation after another, each for some of the records.
import * as z from 'zod';
import type { Send } from './connect-admin.ts';

const Part = z.object({ rebuilt: z.number(), next: z.string().nullable() });

/** Rebuilds every vector of a workspace. After an interruption it can be started again. Throws CliError. */
export async function rebuildVectors(send: Send, workspace_id: string): Promise<{ rebuilt: number }> {
  let rebuilt = 0;
  let after: string | undefined;
  for (;;) {
    const part = Part.parse(await send({ command: 'vector.rebuild', workspace_id, ...(after && { after }) }));
    rebuilt += part.rebuilt;
    if (part.next === null) return { rebuilt };
    after = part.next;
  }
}
