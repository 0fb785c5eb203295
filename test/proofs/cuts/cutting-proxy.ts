// A proxy on loopback that breaks connections: by a reset, or as if the other side had ended, in the middle of whatever
// is on the wire.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  /** Its address, which replaces the service's. */
  site_url: string;
  /** Connections that it broke. */
  cuts(): number;
  close(): void;
}

/**
 * A request with this header (`MS,BYTES`) is cut after that many ms, or within the chunk that exceeds that many bytes.
 */
export const CUT_HEADER = 'x-cut';
const CUT_LINE = new RegExp(`^${CUT_HEADER}: (\\d+),(\\d+)\\r$`, 'im');

/** Listens in front of the service. */
export async function cuttingProxy(siteUrl: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(siteUrl);
  const open = new Set<Socket>();
  let cuts = 0;

  function carry(client: Socket): void {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    let left = Number.POSITIVE_INFINITY;
    const cut = () => {
      if (client.destroyed) return;
      cuts += 1;
      if (cuts % 2 === 0) client.resetAndDestroy();
      else client.destroy();
      upstream.destroy();
    };
    client.once('data', (head) => {
      const [, ms, bytes] = CUT_LINE.exec(head.toString('latin1')) ?? [];
      if (ms === undefined) return;
      left = Number(bytes);
      const timer = setTimeout(cut, Number(ms));
      client.once('close', () => clearTimeout(timer));
    });
    client.on('data', (piece) => upstream.write(piece));
    upstream.on('data', (piece) => {
      left -= piece.length;
      if (left > 0) client.write(piece);
      else client.write(piece.subarray(0, Math.max(0, piece.length + left)), cut);
    });
    upstream.on('end', () => client.end());
  }

  const server = createServer(carry).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    site_url: `http://127.0.0.1:${address.port}`,
    cuts: () => cuts,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
