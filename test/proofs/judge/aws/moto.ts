// moto, a stand-in for AWS that others wrote, on loopback.
import { join } from 'node:path';
import { type LocalServer, startServer } from '../../../support/local-server.ts';
import { pythonTools } from '../python-tools.ts';

export const MOTO = 'moto[server]==5.2.5';

/** Starts it with nothing in it. Throws when it does not answer within a minute. */
export const startMoto = (): Promise<LocalServer> =>
  startServer({
    name: 'moto',
    command: join(pythonTools([MOTO]), 'moto_server'),
    args: (port) => ['-H', '127.0.0.1', '-p', String(port)],
    stdio: 'ignore',
    isReady: (url) =>
      fetch(`${url}/moto-api/`).then(
        ({ ok }) => ok,
        () => false,
      ),
    ready_ms: 60_000,
    look_ms: 200,
  });
