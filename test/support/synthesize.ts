// Synthesizes the stack without bundles and gives tests a typed view of its template.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import * as z from 'zod';
import cdk from '../../cdk.json' with { type: 'json' };
import type { FunctionName } from '../../lib/entries.ts';
import { propsOf } from '../../lib/read-props.ts';
import { RunService } from '../../lib/run-service.ts';
import { readStage } from '../../lib/stage.ts';
import project from '../../package.json' with { type: 'json' };

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })),
});
export type Template = z.infer<typeof Template>;
export type Resource = Template['Resources'][string];

/** The app as bin/service.ts makes it, with `context` as if given by `cdk -c`; with the offline model where none is named. */
export function makeApp(context: Record<string, unknown> = {}): App {
  const outdir = mkdtempSync(join(tmpdir(), 'infra-'));
  const offline = context.models === undefined && { model: 'offline' };
  const app = new App({ outdir, context: { ...cdk.context, ...offline, ...context } });
  const stage = readStage(app.node);
  const sourceOf = () => ({ code: Code.fromInline('0'), handler: 'index.handler' });
  new RunService(app, stage.stack, propsOf(stage), { sourceOf, release: project.version });
  return app;
}

const templates = new Map<string, Template>();

/** The template of the stack; suites in one worker share it, so it must not be modified. */
export function synthesize(context: Record<string, unknown> = {}): Template {
  const name = JSON.stringify(context);
  const template = templates.get(name) ?? synthesizeStack(context);
  templates.set(name, template);
  return template;
}

function synthesizeStack(context: Record<string, unknown>): Template {
  // The engine's own check of the template takes seconds; security-rules.test.ts lets it run.
  process.env.CDK_VALIDATION = 'false';
  const app = makeApp(context);
  app.synth();
  const file = readdirSync(app.outdir).find((name) => name.endsWith('.template.json')) ?? '';
  return Template.parse(JSON.parse(readFileSync(join(app.outdir, file), 'utf8')));
}

/** Resources of a type, by logical id. */
export function ofType(template: Template, type: string): Record<string, Resource> {
  return Object.fromEntries(Object.entries(template.Resources).filter(([, { Type }]) => Type === type));
}

/** The only resource of a type; asserts that there is exactly one. */
export function only(template: Template, type: string): Resource {
  const found = Object.values(ofType(template, type));
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} resources of type ${type}`);
  return found[0];
}

/** A part of the template that must be an object, or an array of them. */
export const fields = (value: unknown) => z.record(z.string(), z.unknown()).parse(value);
export const list = (value: unknown) => z.array(z.unknown()).parse(value);

/** Properties of a function. */
export function functionOf(template: Template, name: FunctionName): Record<string, unknown> {
  const resource = template.Resources[name];
  if (resource?.Type !== 'AWS::Lambda::Function') throw new Error(`no function ${name}`);
  return resource.Properties;
}

/** An intrinsic as text: `<Table.Arn>/index/due`. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  const intrinsic = z
    .union([
      z.object({ Ref: z.string() }),
      z.object({ 'Fn::GetAtt': z.array(z.string()) }),
      z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
    ])
    .parse(value);
  if ('Ref' in intrinsic) return `<${intrinsic.Ref}>`;
  if ('Fn::GetAtt' in intrinsic) return `<${intrinsic['Fn::GetAtt'].join('.')}>`;
  const [separator, parts] = intrinsic['Fn::Join'];
  return parts.map(text).join(separator);
}
