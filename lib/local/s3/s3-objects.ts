// The S3 operations that functions use: objects as files, their names and headers in one SQLite file.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AwsError, type AwsReply, escapeXml } from '../aws-endpoint/aws-protocol.ts';
import type { Stack } from '../template/template.ts';

/** A call as it came over the wire. */
export interface ObjectCall {
  method: string;
  bucket: string;
  key: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** The store behind the S3 door. */
export interface ObjectStore {
  handle(call: ObjectCall): Promise<AwsReply>;
  close(): void;
}

const KEPT_HEADERS = ['content-type', 'content-encoding', 'cache-control', 'content-disposition'];

/** Opens the folder and knows the template's buckets. PutObject, GetObject, HeadObject, DeleteObject, ListObjectsV2. */
export function openObjectStore(stack: Stack, folder: string): ObjectStore {
  mkdirSync(folder, { recursive: true });
  const buckets = new Set(stack.ofType('AWS::S3::Bucket').map(({ attributes }) => attributes.ref));
  const db = new DatabaseSync(join(folder, 'index.db'));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS objects (bucket TEXT, key TEXT, file TEXT, etag TEXT, size INTEGER, headers TEXT, modified INTEGER,
    PRIMARY KEY (bucket, key)) WITHOUT ROWID`);
  const find = db.prepare('SELECT * FROM objects WHERE bucket = ? AND key = ?');
  const store = db.prepare('INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?, ?)');
  const drop = db.prepare('DELETE FROM objects WHERE bucket = ? AND key = ?');
  const list = db.prepare(
    'SELECT * FROM objects WHERE bucket = ? AND key > ? AND substr(key, 1, ?) = ? ORDER BY key LIMIT ?',
  );
  const pathOf = (file: unknown) => join(folder, String(file));

  async function put({ bucket, key, headers, body }: ObjectCall): Promise<AwsReply> {
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

  async function get({ bucket, key, method }: ObjectCall): Promise<AwsReply> {
    const row = find.get(bucket, key);
    if (!row) throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
    const body = await readFile(pathOf(row.file));
    const kept: Record<string, string> = JSON.parse(String(row.headers));
    const headers = {
      ...kept,
      etag: String(row.etag),
      'last-modified': new Date(Number(row.modified)).toUTCString(),
    };
    if (method === 'HEAD')
      return { status: 200, headers: { ...headers, 'content-length': String(row.size) }, body: '' };
    return { status: 200, headers, body };
  }

  async function remove({ bucket, key }: ObjectCall): Promise<AwsReply> {
    const row = find.get(bucket, key);
    drop.run(bucket, key);
    if (row) await rm(pathOf(row.file), { force: true });
    return { status: 204, headers: {}, body: '' };
  }

  function listing({ bucket, query }: ObjectCall): AwsReply {
    const prefix = query.get('prefix') ?? '';
    const max = Math.min(1000, Number(query.get('max-keys') ?? 1000));
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const rows = list.all(bucket, after, prefix.length, prefix, max + 1);
    const page = rows.slice(0, max);
    const contents = page.map(
      (row) =>
        `<Contents><Key>${escapeXml(String(row.key))}</Key><LastModified>${new Date(Number(row.modified)).toISOString()}</LastModified><ETag>${escapeXml(String(row.etag))}</ETag><Size>${row.size}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
    );
    const more =
      rows.length > max
        ? `<NextContinuationToken>${escapeXml(String(page.at(-1)?.key))}</NextContinuationToken>`
        : '';
    const body = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>${bucket}</Name><Prefix>${escapeXml(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${max}</MaxKeys><IsTruncated>${rows.length > max}</IsTruncated>${more}${contents.join('')}</ListBucketResult>`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body };
  }

  async function handle(call: ObjectCall): Promise<AwsReply> {
    if (!buckets.has(call.bucket))
      throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
    if (call.key === '' && call.method === 'GET') return listing(call);
    if (call.key !== '' && call.method === 'PUT') return put(call);
    if (call.key !== '' && (call.method === 'GET' || call.method === 'HEAD')) return get(call);
    if (call.key !== '' && call.method === 'DELETE') return remove(call);
    throw new AwsError('NotImplemented', `${call.method} is not known locally.`, 501);
  }

  return { handle, close: () => db.close() };
}
