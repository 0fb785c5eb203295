// Objects of S3 buckets: their bytes in files, their names and headers in one SQLite file.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AwsError, type AwsReply } from '../aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from '../aws-endpoint/aws-request.ts';
import { openSqliteFile } from '../files/sqlite-file.ts';

/** The objects of all buckets. */
export interface Objects {
  /** GetObject, PutObject, DeleteObject, ListObjectVersions. Throws AwsError for what S3 would refuse. */
  answer(request: AwsRequest): Promise<AwsReply>;
  close(): void;
}

/** The length of a page of S3. */
const LIST_MAX = 1000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS objects (bucket TEXT, key TEXT, file TEXT, etag TEXT, size INTEGER, headers TEXT, modified INTEGER,
    PRIMARY KEY (bucket, key)) WITHOUT ROWID;`;

/** Opens the folder; requests for other buckets are refused. Throws SetupError for a damaged index. */
export function openObjects(buckets: readonly string[], folder: string): Objects {
  mkdirSync(folder, { recursive: true });
  const db = openSqliteFile(join(folder, 'index.db'), SCHEMA);
  const objects = new StoredObjects(db, folder);

  async function answer(request: AwsRequest): Promise<AwsReply> {
    const [, bucket = '', ...rest] = request.path.split('/');
    const key = rest.map(decodeURIComponent).join('/');
    if (!buckets.includes(bucket))
      throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
    if (request.operation === 'ListObjectVersions') return objects.listVersions(bucket, request.query);
    if (request.operation === 'PutObject') return objects.put(bucket, key, request);
    if (request.operation === 'DeleteObject') return objects.remove(bucket, key);
    return objects.get(bucket, key);
  }

  return { answer, close: () => db.close() };
}

class StoredObjects {
  readonly #folder: string;
  readonly #find: StatementSync;
  readonly #store: StatementSync;
  readonly #delete: StatementSync;
  readonly #list: StatementSync;

  constructor(db: DatabaseSync, folder: string) {
    this.#folder = folder;
    this.#find = db.prepare('SELECT * FROM objects WHERE bucket = ? AND key = ?');
    this.#store = db.prepare('INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#delete = db.prepare('DELETE FROM objects WHERE bucket = ? AND key = ?');
    this.#list = db.prepare(
      'SELECT key FROM objects WHERE bucket = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?',
    );
  }

  async put(bucket: string, key: string, { headers, body }: AwsRequest): Promise<AwsReply> {
    if (headers['content-encoding']?.includes('aws-chunked'))
      throw new AwsError('NotImplemented', 'Chunked uploads are not known locally.', 501);
    const file = randomUUID();
    await writeFile(this.#pathOf(file), body);
    const before = this.#find.get(bucket, key);
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const type = headers['content-type'];
    const headersText = JSON.stringify(type === undefined ? {} : { 'content-type': type });
    this.#store.run(bucket, key, file, etag, body.length, headersText, Date.now());
    if (before) await rm(this.#pathOf(before.file), { force: true });
    return { status: 200, headers: { etag }, body: '' };
  }

  async get(bucket: string, key: string): Promise<AwsReply> {
    const row = this.#find.get(bucket, key);
    if (!row) throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
    const stored: Record<string, string> = JSON.parse(String(row.headers));
    const headers = {
      ...stored,
      etag: String(row.etag),
      'last-modified': new Date(Number(row.modified)).toUTCString(),
      'content-length': String(row.size),
    };
    return { status: 200, headers, body: createReadStream(this.#pathOf(row.file)) };
  }

  /** As on S3, deleting an object that does not exist succeeds. */
  async remove(bucket: string, key: string): Promise<AwsReply> {
    const row = this.#find.get(bucket, key);
    this.#delete.run(bucket, key);
    if (row) await rm(this.#pathOf(row.file), { force: true });
    return { status: 204, headers: {}, body: '' };
  }

  /** One page of the objects under a prefix. Each has one version here: old ones are not stored. */
  listVersions(bucket: string, query: URLSearchParams): AwsReply {
    const prefix = query.get('prefix') ?? '';
    const versions = this.#list
      .all(bucket, prefix, `${prefix}\u{10ffff}`, LIST_MAX)
      .map(
        ({ key }) =>
          `<Version><Key>${encodeURIComponent(String(key))}</Key><VersionId>null</VersionId></Version>`,
      );
    const body = `<?xml version="1.0" encoding="UTF-8"?><ListVersionsResult>${versions.join('')}</ListVersionsResult>`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body };
  }

  #pathOf(file: unknown): string {
    return join(this.#folder, String(file));
  }
}
