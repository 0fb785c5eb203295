// A network of its own for the engine, which takes requests from whoever reaches its port: on Linux, where the kernel allows it.
import { spawnSync } from 'node:child_process';

/** A command and its first arguments. */
export type Command = readonly [command: string, ...args: string[]];

// Rights over a network come with a user namespace; the processes inside end with the first of them, and that with `unshare`.
const UNSHARE = ['--net', '--mount', '--pid', '--fork', '--kill-child'];
// The loopback device of a new network is down. Without the command `ip` it is switched on by its flags (IFF_UP).
const LOOPBACK_UP = 'ip link set lo up || { mount -t sysfs sysfs /sys && echo 9 >/sys/class/net/lo/flags; }';
const IN_PRIVATE: Command = [
  'unshare',
  '--map-root-user',
  'unshare',
  ...UNSHARE,
  'sh',
  '-c',
  `{ ${LOOPBACK_UP}; } 2>/dev/null && exec "$0" "$@"`,
];

/** What to put before a command to run it in a network of its own; undefined where this machine does not allow that. */
export function privateNetwork(): Command | undefined {
  if (process.platform !== 'linux') return undefined;
  const [command, ...args] = IN_PRIVATE;
  const { status } = spawnSync(command, [...args, 'true'], { stdio: 'ignore', env: networkEnv() });
  return status === 0 ? IN_PRIVATE : undefined;
}

/** The environment of such a command: `ip` is often found by root alone. */
export function networkEnv(): Record<string, string> {
  return { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` };
}
