// Taking a workspace out of the bridges that push into it.
import * as bridges from '#store/records/bridges.ts';

/** Those of the bridges that serve the workspace serve it no longer; one that served no other is deleted. Safe to repeat. */
export async function leaveBridges(workspaceId: string, bridgeIds: string[]): Promise<void> {
  for (const id of bridgeIds) {
    const bridge = await bridges.get(id);
    const others = bridge?.workspaces.filter(({ workspace_id }) => workspace_id !== workspaceId) ?? [];
    if (!bridge || others.length === bridge.workspaces.length) continue;
    if (others.length === 0) await bridges.remove(id);
    else await bridges.put({ ...bridge, workspaces: others });
  }
}
