// All that the bucket holds under a prefix, old versions and marks of deletion too.
import { settleAll } from '#platform/settle-all.ts';
import { drained, request } from './object-store.ts';

interface Version {
  key: string;
  id: string;
}

const AT_ONCE = 20;
const ENTRY = /<(Version|DeleteMarker)>(.*?)<\/\1>/gs;

/** A page (1,000) of the versions and marks under a prefix; what is deleted makes room for the next page. */
async function versionsUnder(prefix: string): Promise<Version[]> {
  const query = new URLSearchParams({ versions: '', prefix, 'encoding-type': 'url' });
  const xml = await request({ method: 'GET', key: `?${query}`, read: (response) => response.text() });
  return [...xml.matchAll(ENTRY)].flatMap(([, , entry = '']) => {
    const [, key] = /<Key>(.*?)<\/Key>/s.exec(entry) ?? [];
    const [, id] = /<VersionId>(.*?)<\/VersionId>/s.exec(entry) ?? [];
    return key === undefined || id === undefined ? [] : [{ key: decodeURIComponent(key), id }];
  });
}

/** Deletes a page of what lies under a prefix, for good; returns how many versions that were. Zero: nothing is left. */
export async function eraseObjects(prefix: string): Promise<number> {
  const versions = await versionsUnder(prefix);
  await settleAll(versions, AT_ONCE, ({ key, id }) =>
    request({ method: 'DELETE', key: `${key}?versionId=${encodeURIComponent(id)}`, read: drained }),
  );
  return versions.length;
}
