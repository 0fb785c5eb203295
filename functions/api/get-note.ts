// GET /notes/{id}
import { fail } from '#contract/errors.ts';
import { api } from '#edge/api.ts';
import { byKey } from '#edge/bearer-key.ts';
import { reply } from '#edge/replies.ts';
import { isUuid } from '#platform/crypto.ts';
import * as notes from '#store/runs/notes.ts';

export const route = api('GetNote', byKey, async ({ caller, params }) => {
  const { id } = params;
  const note = isUuid(id) ? await notes.get(caller.workspace.workspace_id, id.toLowerCase()) : undefined;
  if (!note) throw fail('note_not_found');
  return reply(200, note);
});
