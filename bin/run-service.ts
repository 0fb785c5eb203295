// The program of the package: `run-service start|admin|runs|mcp` (rules.md: local 18).
import { localCommand } from '../lib/local/cli/local-command.ts';
import { releaseIn } from '../lib/local/cli/release.ts';
import { columns, unknownWord } from '../lib/local/cli/usage-text.ts';
import { programFolder } from '../lib/local/program-folder.ts';

const PROGRAM = 'npx run-service';

interface Command {
  help: string;
  run(args: string[]): Promise<void>;
}

/** What a command needs is loaded with it: a service does not keep a client in memory. */
const commands: Readonly<Record<string, Command>> = {
  start: {
    help: 'starts the whole service on this machine',
    // `npm start` runs the same program, and says so.
    run: (args) => localCommand(args, process.env.RUN_SERVICE_CALLED_AS ?? `${PROGRAM} start`),
  },
  admin: {
    help: 'administers a running service: workspaces, keys, imports of records',
    run: async (args) => (await import('./admin/admin-command.ts')).adminCommand(args, `${PROGRAM} admin`),
  },
  runs: {
    help: 'creates, watches, reads and changes runs in a terminal',
    run: async (args) => (await import('../clients/cli/run-process.ts')).runProcess(args, `${PROGRAM} runs`),
  },
  mcp: {
    help: 'serves runs and records as tools to an agent, over standard input and output',
    run: async (args) =>
      (await import('../clients/cli/run-process.ts')).runProcess(['mcp', ...args], `${PROGRAM} runs`),
  },
};
const names = Object.keys(commands);

const usage = `Usage: ${PROGRAM} <command> [flags]

${columns(Object.entries(commands).map(([name, { help }]) => [name, help]))}
${PROGRAM} <command> --help prints the flags of a command, ${PROGRAM} --version the release.
`;

function refuse(line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = 2;
}

const [word, ...args] = process.argv.slice(2);
const command = word !== undefined && Object.hasOwn(commands, word) ? commands[word] : undefined;
if (command) await command.run(args);
else if (word === '--help' || word === '-h') process.stdout.write(usage);
else if (word === '--version') process.stdout.write(`${releaseIn(programFolder)}\n`);
else if (word === undefined) refuse(`name a command: ${names.join(', ')}; ${PROGRAM} --help prints how`);
else refuse(unknownWord('command', word, names));
