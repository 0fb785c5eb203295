// Removes a workspace from the bridges that push into it.
import * as bridges from '#store/records/bridges.ts';

/** Removes the workspace from these bridges; a bridge without workspaces is deleted. Safe to repeat. */
export async function leaveBridges(workspaceId: string, bridgeIds: string[]): Promise<void> {
  for (const id of bridgeIds) {
    const bridge = await bridges.get(id);
    const others = bridge?.workspaces.filter(({ workspace_id }) => workspace_id !== workspaceId) ?? [];
    if (!bridge || others.length === bridge.workspaces.length) continue;
    if (others.length === 0) await bridges.remove(id);
    else await bridges.put({ ...bridge, workspaces: others });
  }
}
