// Runs as a process of its own beside the service: starts the engine, ends with it and with the service, and relays a Unix socket to
// the engine's port where that is out of the service's reach. Imports nothing of this project: it is handed to node as plain JavaScript.
import { spawn } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';

const [binary = '', port = '', database = '', socketFile = ''] = process.argv.slice(1);
const KILL_AFTER_MS = 1_000;

const engine = spawn(binary, ['--port', port, '--db-path', database], { stdio: 'ignore', env: {} });
engine.once('error', () => process.exit(1));
engine.once('exit', () => process.exit(1));

// The service holds the other end, which closes when it ends, however it ends.
process.stdin.resume().once('close', () => {
  engine.kill();
  setTimeout(() => engine.kill('SIGKILL'), KILL_AFTER_MS);
});

function relay(from: Socket): void {
  const to = connect({ host: '127.0.0.1', port: Number(port), noDelay: true });
  for (const [one, other] of [
    [from, to],
    [to, from],
  ] as const) {
    one.pipe(other);
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

if (socketFile !== '') {
  // Made under another name and then renamed, so that the file is never absent while the engine is started again.
  const made = `${socketFile}.new`;
  rmSync(made, { force: true });
  createServer(relay).listen(made, () => renameSync(made, socketFile));
}
