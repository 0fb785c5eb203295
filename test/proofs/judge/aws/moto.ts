// moto, a stand-in for AWS that others wrote, on loopback.
import { join } from 'node:path';
import { type LocalServer, startServer } from '../../../support/local-server.ts';
import { pythonTools } from '../python-tools.ts';

export const MOTO = 'moto[server,stepfunctions]==5.2.5';
/** The expressions of state machines, by others again. */
const JSONATA = 'jsonata-python==0.7.1';

/**
 * Starts it with nothing in it. It executes state machines, whose functions it asks for at a port of loopback. Throws
 * when it does not answer within a minute.
 */
export const startMoto = (functionsPort = 0): Promise<LocalServer> =>
  startServer({
    name: 'moto',
    command: join(pythonTools([MOTO, JSONATA]), 'python'),
    args: (port) => [join(import.meta.dirname, 'moto_server.py'), String(port), String(functionsPort)],
    stdio: 'ignore',
    isReady: (url) =>
      fetch(`${url}/moto-api/`).then(
        ({ ok }) => ok,
        () => false,
      ),
    ready_ms: 60_000,
    look_ms: 200,
  });
