// An in-memory bucket with versioning, as in the stack.
import { vi } from 'vitest';

interface Version {
  key: string;
  id: string;
  /** Absent on a delete marker. */
  body?: ArrayBuffer;
}

/** Keeps what is put into the bucket until the globals are restored; returns its versions, newest last. */
export function keepObjects(): Version[] {
  process.env.BUCKET_NAME = 'bodies';
  const versions: Version[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url);
    const key = decodeURIComponent(
      url.pathname
        .split('/')
        .slice(url.host.startsWith('bodies.') ? 1 : 2)
        .join('/'),
    );
    if (request.method === 'PUT') {
      versions.push({ key, id: crypto.randomUUID(), body: await request.arrayBuffer() });
      return new Response();
    }
    if (request.method === 'DELETE') return deletes(versions, key, url.searchParams.get('versionId'));
    if (url.searchParams.has('versions')) return listed(versions, url.searchParams.get('prefix') ?? '');
    const found = versions.findLast((version) => version.key === key)?.body;
    return new Response(found ?? null, { status: found ? 200 : 404 });
  });
  return versions;
}

/** Without a version id, adds a delete marker. */
function deletes(versions: Version[], key: string, id: string | null): Response {
  if (id === null) versions.push({ key, id: crypto.randomUUID() });
  const at = versions.findIndex((version) => version.key === key && version.id === id);
  if (at >= 0) versions.splice(at, 1);
  return new Response(null, { status: 204 });
}

const PAGE = 2;

/** A page of versions under a prefix, formatted like S3, with surrounding elements. */
function listed(versions: Version[], prefix: string): Response {
  const entries = versions
    .filter(({ key }) => key.startsWith(prefix))
    .slice(0, PAGE)
    .map(({ key, id, body }) => {
      const name = body ? 'Version' : 'DeleteMarker';
      return `<${name}>\n<Key>${encodeURIComponent(key)}</Key><VersionId>${id}</VersionId><IsLatest>true</IsLatest></${name}>`;
    });
  return new Response(
    `<ListVersionsResult><Prefix>${prefix}</Prefix>${entries.join('')}</ListVersionsResult>`,
  );
}
