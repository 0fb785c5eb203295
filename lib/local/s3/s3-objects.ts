// Objects of S3 buckets: their bytes in files, their names and headers in one SQLite file.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AwsError, type AwsReply } from '../aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from '../aws-endpoint/aws-request.ts';
import { openSqliteFile } from '../files/sqlite-file.ts';

/** The objects of all buckets. */
export interface Objects {
  /** Answers GetObject, HeadObject, PutObject, DeleteObject and ListObjectVersions. Throws AwsError for what S3 would refuse. */
  answer(request: AwsRequest): Promise<AwsReply>;
  close(): void;
}

const KEPT_HEADERS = ['content-type', 'content-encoding', 'cache-control', 'content-disposition'];

/** As many as S3 lists in one answer. */
const LIST_MAX = 1000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS objects (bucket TEXT, key TEXT, file TEXT, etag TEXT, size INTEGER, headers TEXT, modified INTEGER,
    PRIMARY KEY (bucket, key)) WITHOUT ROWID;`;

/** Opens the folder; requests for other buckets are refused. Throws SetupError for a damaged index. */
export function openObjects(buckets: readonly string[], folder: string): Objects {
  mkdirSync(folder, { recursive: true });
  const db = openSqliteFile(join(folder, 'index.db'), SCHEMA);
  const find = db.prepare('SELECT * FROM objects WHERE bucket = ? AND key = ?');
  const store = db.prepare('INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?, ?)');
  const forget = db.prepare('DELETE FROM objects WHERE bucket = ? AND key = ?');
  const list = db.prepare(
    'SELECT key FROM objects WHERE bucket = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?',
  );
  const pathOf = (file: unknown) => join(folder, String(file));

  async function put(bucket: string, key: string, { headers, body }: AwsRequest): Promise<AwsReply> {
    if (headers['content-encoding']?.includes('aws-chunked'))
      throw new AwsError('NotImplemented', 'Chunked uploads are not known locally.', 501);
    if (headers['if-none-match'] === '*' && find.get(bucket, key)) {
      throw new AwsError(
        'PreconditionFailed',
        'At least one of the pre-conditions you specified did not hold',
        412,
      );
    }
    const file = randomUUID();
    await writeFile(pathOf(file), body);
    const before = find.get(bucket, key);
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const kept = Object.entries(headers).filter(
      ([name]) => KEPT_HEADERS.includes(name) || name.startsWith('x-amz-meta-'),
    );
    store.run(bucket, key, file, etag, body.length, JSON.stringify(Object.fromEntries(kept)), Date.now());
    if (before) await rm(pathOf(before.file), { force: true });
    return { status: 200, headers: { etag }, body: '' };
  }

  async function get(bucket: string, key: string, operation: string): Promise<AwsReply> {
    const row = find.get(bucket, key);
    if (!row) throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
    const body = await readFile(pathOf(row.file));
    const kept: Record<string, string> = JSON.parse(String(row.headers));
    const headers = {
      ...kept,
      etag: String(row.etag),
      'last-modified': new Date(Number(row.modified)).toUTCString(),
    };
    if (operation === 'GetObject') return { status: 200, headers, body };
    return { status: 200, headers: { ...headers, 'content-length': String(row.size) }, body: '' };
  }

  /** Deleting what is not there is no failure on S3 either. */
  async function remove(bucket: string, key: string): Promise<AwsReply> {
    const row = find.get(bucket, key);
    forget.run(bucket, key);
    if (row) await rm(pathOf(row.file), { force: true });
    return { status: 204, headers: {}, body: '' };
  }

  /** A page of what lies under a prefix. Here every object has one version, as in a bucket that keeps no old ones. */
  function listVersions(bucket: string, query: URLSearchParams): AwsReply {
    const prefix = query.get('prefix') ?? '';
    const versions = list
      .all(bucket, prefix, `${prefix}\u{10ffff}`, LIST_MAX)
      .map(
        ({ key }) =>
          `<Version><Key>${encodeURIComponent(String(key))}</Key><VersionId>null</VersionId></Version>`,
      );
    const body = `<?xml version="1.0" encoding="UTF-8"?><ListVersionsResult>${versions.join('')}</ListVersionsResult>`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body };
  }

  async function answer(request: AwsRequest): Promise<AwsReply> {
    const [, bucket = '', ...rest] = request.path.split('/');
    const key = rest.map(decodeURIComponent).join('/');
    if (!buckets.includes(bucket))
      throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
    if (request.operation === 'ListObjectVersions') return listVersions(bucket, request.query);
    if (request.operation === 'PutObject') return put(bucket, key, request);
    if (request.operation === 'DeleteObject') return remove(bucket, key);
    return get(bucket, key, request.operation);
  }

  return { answer, close: () => db.close() };
}
