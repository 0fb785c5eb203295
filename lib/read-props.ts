// From the props of the construct to the settings of its stage; what is wrong is named as in the props.
import * as z from 'zod';
import { MODEL_FORMS } from '../functions/contract/models.ts';
import type { RunServiceProps, ServiceSettings } from './props.ts';
import { Stage, settingNames, WrongSettings } from './stage.ts';

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
/** The settings of a stage by their props. */
type AsProps = { [Name in keyof Stage as Name extends 'stack' ? never : CamelCase<Name>]: Stage[Name] };

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Settings by the name of their prop. A stack has its name from where it is. */
const settings = new Map(
  settingNames.filter((name) => name !== 'stack').map((name) => [camelCase(name), name] as const),
);
/** Props that are no settings; the last three are of the stack that it makes. */
const OF_STACK = ['env', 'description', 'synthesizer'] as const;
const OTHERS: readonly string[] = ['domain', ...OF_STACK];

/** Constructs of an app, which may have another copy of the CDK: they are known by what is read of them. */
const having = (attribute: string, kind: string) =>
  z.custom((one) => typeof Object(one)[attribute] === 'string', `expected ${kind}`);
const Domain = z.strictObject({
  name: z.string().min(1),
  certificate: having('certificateArn', 'a certificate'),
  hostedZone: having('hostedZoneId', 'a hosted zone').optional(),
});

/** The props that are settings. */
export const settingProps = [...settings.keys()];

/** The stage of a stack with this name. Throws WrongSettings, which names each wrong prop. */
export function stageOf(stack: string, props: RunServiceProps, isInStack: boolean): Stage {
  const { domain } = props;
  const given = Object.entries(props).filter(([, value]) => value !== undefined);
  const unknown = given.flatMap(([name]) => (settings.has(name) || OTHERS.includes(name) ? [] : [name]));
  if (unknown.length > 0) throw new WrongSettings(`RunService has no prop ${unknown.join(', ')}`);
  const foreign = OF_STACK.filter((name) => props[name] !== undefined);
  if (isInStack && foreign.length > 0)
    throw new WrongSettings(`${foreign.join(', ')}: of a stack, and this is in one: set it there`);
  if (domain && props.siteUrl !== undefined)
    throw new WrongSettings('domain is the address of the service: leave out siteUrl');
  refuseWrong(Domain.optional().safeParse(domain), (path) => ['domain', ...path]);
  if (props.model === undefined && props.models === undefined)
    throw new WrongSettings(`model is not set: one of ${MODEL_FORMS}; or models, a file`);
  const named = given.flatMap(([name, value]) => {
    const setting = settings.get(name);
    return setting === undefined ? [] : [[setting, value] as const];
  });
  const read = Stage.safeParse({
    stack,
    ...Object.fromEntries(named),
    ...(domain && { site_url: `https://${domain.name}` }),
  });
  return refuseWrong(read, ([name, ...rest]) => [
    name === 'stack' ? 'the name of its stack' : camelCase(String(name)),
    ...rest,
  ]);
}

/** What was read. Throws WrongSettings with each issue, at the path that it has in the props. */
function refuseWrong<T>(read: z.ZodSafeParseResult<T>, inProps: (path: PropertyKey[]) => PropertyKey[]): T {
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path, message }) => `${inProps(path).join('.')}: ${message}`);
  throw new WrongSettings(`Wrong props of RunService: ${wrong.join('; ')}`);
}

/** The props of a stage, for the app of the repository, whose settings are context. */
export function propsOf(stage: Stage): ServiceSettings {
  const pairs = Object.entries(stage).filter(([name, value]) => name !== 'stack' && value !== undefined);
  // The names are changed as the type says.
  const props = Object.fromEntries(pairs.map(([name, value]) => [camelCase(name), value])) as AsProps;
  return props;
}
