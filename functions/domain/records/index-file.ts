// The file of a workspace's record index.
import { env } from '#platform/env.ts';

/** The path of a workspace's index file. */
export function indexFile(workspaceId: string): string {
  return `${env('RECORD_INDEX_DIR')}/${workspaceId}.db`;
}
