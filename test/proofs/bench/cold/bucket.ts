// A bucket on this machine that is as slow as S3 is for a function: objects are files, and replies are paced.
import { createReadStream, createWriteStream, mkdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * The model of S3's bandwidth: what one function gets over all its connections together. AWS guarantees no figure;
 * published downloads within Lambda are 400 to 700 Mbit/s, that is 50 to 88 MB/s.
 */
export const BYTES_PER_MS = 80_000;
/** From a request to the first byte of its reply. */
export const FIRST_BYTE_MS = 30;
const PIECE_BYTES = 128 * 1024;

/** What was read from the bucket since `beginTally`. */
export interface Tally {
  requests: number;
  bytes: number;
  /** Epoch ms at which the last byte was sent. */
  last_at: number;
}

export interface Bucket {
  /** The endpoint; the bucket's name is the first part of each path. */
  endpoint: string;
  /** From now on reads are counted in this tally. */
  beginTally(): Tally;
  stop(): Promise<void>;
}

/** Starts a bucket whose objects are in this folder. */
export async function startBucket(folder: string): Promise<Bucket> {
  mkdirSync(folder, { recursive: true });
  let tally: Tally = { requests: 0, bytes: 0, last_at: 0 };
  /** When the line that all connections share is free again. */
  let freeAt = 0;
  const fileOf = (url = '') => join(folder, encodeURIComponent(url));

  async function send(file: string, response: ServerResponse): Promise<void> {
    const own = tally;
    own.requests += 1;
    await wait(FIRST_BYTE_MS);
    const { size } = statSync(file);
    response.writeHead(200, { 'Content-Length': size });
    for await (const piece of createReadStream(file, { highWaterMark: PIECE_BYTES })) {
      freeAt = Math.max(freeAt, performance.now()) + piece.length / BYTES_PER_MS;
      // Timers are no finer than a millisecond; what one wakes too late is made up for by the next.
      const early = freeAt - performance.now();
      if (early > 1) await wait(early);
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
      own.bytes += piece.length;
      own.last_at = performance.timeOrigin + performance.now();
    }
    response.end();
  }

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = fileOf(request.url);
    if (request.method === 'GET') return send(file, response);
    if (request.method === 'PUT') await pipeline(request, createWriteStream(file));
    else await rm(file, { force: true });
    response.end();
  }

  const server = createServer((request, response) => {
    reply(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the bucket has no port');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    beginTally() {
      tally = { requests: 0, bytes: 0, last_at: 0 };
      return tally;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
