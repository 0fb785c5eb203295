// Everything in the bucket under a prefix, including old versions and delete markers.
import { settleAll } from '#platform/settle-all.ts';
import { drained, request } from './object-store.ts';

interface Version {
  key: string;
  id: string;
}

const AT_ONCE = 20;
const ENTRY = /<(Version|DeleteMarker)>(.*?)<\/\1>/gs;

/** A page (1,000) of the versions and delete markers under a prefix; deleting them reveals the next page. */
async function versionsUnder(prefix: string): Promise<Version[]> {
  const query = new URLSearchParams({ versions: '', prefix, 'encoding-type': 'url' });
  const xml = await request({ method: 'GET', key: `?${query}`, read: (response) => response.text() });
  return [...xml.matchAll(ENTRY)].flatMap(([, , entry = '']) => {
    const [, key] = /<Key>(.*?)<\/Key>/s.exec(entry) ?? [];
    const [, id] = /<VersionId>(.*?)<\/VersionId>/s.exec(entry) ?? [];
    return key === undefined || id === undefined ? [] : [{ key: decodeURIComponent(key), id }];
  });
}

/** Permanently deletes a page of the versions under a prefix and returns how many. Zero: none are left. */
export async function eraseObjects(prefix: string): Promise<number> {
  const versions = await versionsUnder(prefix);
  await settleAll(versions, AT_ONCE, ({ key, id }) =>
    request({ method: 'DELETE', key: `${key}?versionId=${encodeURIComponent(id)}`, read: drained }),
  );
  return versions.length;
}
