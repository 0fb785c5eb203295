// A real pseudo-terminal with `runs` in it, and a terminal emulator that shows what a user would see.
import { resolve } from 'node:path';
import * as pty from '@lydell/node-pty';
import xterm from '@xterm/headless';

const ROWS = 24;

export interface Screen {
  /** Every line of the screen and of what has scrolled off it, without trailing blanks and empty lines at the end. */
  lines(): string[];
  /** Everything that came over the terminal, as it came. */
  raw(): string;
  /** Types something. */
  type(text: string): void;
  /** Exit code, when the process has ended. */
  ended: Promise<number>;
}

/** Starts `runs` in a terminal with this many columns; `changed` is called after each piece of output is drawn. */
export function onScreen(
  args: readonly string[],
  {
    columns,
    env,
    changed = () => {},
  }: { columns: number; env: Record<string, string>; changed?: (screen: Screen) => void },
): Screen {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows: ROWS,
    scrollback: 1000,
    allowProposedApi: true,
  });
  const child = pty.spawn(process.execPath, [resolve('clients/cli/runs.ts'), ...args], {
    cols: columns,
    rows: ROWS,
    name: 'xterm-256color',
    env: { PATH: process.env.PATH, ...env },
  });
  let raw = '';
  let drawn: Promise<void> = Promise.resolve();
  const screen: Screen = {
    lines: () => linesOf(terminal),
    raw: () => raw,
    type: (text) => child.write(text),
    ended: new Promise((done) => {
      child.onExit(({ exitCode }) => void drawn.then(() => done(exitCode)));
    }),
  };
  child.onData((piece) => {
    raw += piece;
    drawn = drawn
      .then(() => new Promise<void>((done) => terminal.write(piece, done)))
      .then(() => changed(screen));
  });
  return screen;
}

function linesOf(terminal: InstanceType<typeof xterm.Terminal>): string[] {
  const { active } = terminal.buffer;
  const lines = Array.from(
    { length: active.length },
    (_, i) => active.getLine(i)?.translateToString(true) ?? '',
  );
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
