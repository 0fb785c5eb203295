// The arguments of `npm run deploy`: those of `cdk deploy`, and the replacements that are meant.

export interface DeployArguments {
  /** Logical ids of resources that may be replaced or removed. */
  allowed: string[];
  /** Whether a release may follow a later one. */
  allowsOlder: boolean;
  /** The arguments for the CDK. */
  cdk: string[];
  help: boolean;
  /** Of the credentials; the CDK takes it, too. */
  profile: string | undefined;
}

const FLAG = '--allow-replacement';
const OLDER = '--allow-older-release';

/** Takes each `--allow-replacement NAME` out of the arguments; `--allow-older-release` is a setting of the stage. */
export function readDeployArguments(args: readonly string[]): DeployArguments {
  const allowed: string[] = [];
  const cdk: string[] = [];
  for (const [i, arg] of args.entries()) {
    if (args[i - 1] === FLAG) allowed.push(arg);
    else if (arg.startsWith(`${FLAG}=`)) allowed.push(arg.slice(FLAG.length + 1));
    else if (arg !== FLAG && arg !== OLDER) cdk.push(arg);
  }
  const allowsOlder = args.includes(OLDER);
  if (allowsOlder) cdk.push('-c', `${OLDER.slice(2).replaceAll('-', '_')}=true`);
  const help = cdk.includes('--help') || cdk.includes('-h');
  return { allowed, allowsOlder, cdk, help, profile: givenFor('--profile', cdk) };
}

function givenFor(flag: string, args: readonly string[]): string | undefined {
  const [at = -1] = args.flatMap((arg, i) => (arg === flag || arg.startsWith(`${flag}=`) ? [i] : []));
  const found = args[at];
  return found === flag ? args[at + 1] : found?.slice(flag.length + 1);
}
