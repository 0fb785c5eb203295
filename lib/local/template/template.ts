// Reads a synthesized CloudFormation template and resolves its intrinsics to local names.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  optionalString,
  parseObject,
  stringAt,
} from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import {
  ACCOUNT,
  type Addresses,
  type Attributes,
  describerOf,
  REGION,
  REST_API_ID,
  type ResourceTypes,
} from './attributes.ts';
import { type StageSettings, withSettings } from './settings.ts';

/** One resource with every intrinsic resolved. */
export interface Resource {
  id: string;
  type: string;
  properties: JsonObject;
  attributes: Attributes;
  /** Absolute folder of the code asset; only on functions. */
  assetFolder?: string;
}

/** The stack that the runtime executes. */
export interface Stack {
  resources: ReadonlyMap<string, Resource>;
  ofType(...types: string[]): Resource[];
}

/** Services whose resource types a template may use. */
type Services = readonly { resources: ResourceTypes }[];

interface Scope {
  services: Services;
  addresses: Addresses;
  parameters: JsonObject;
  raw: Map<string, { type: string; properties: JsonObject }>;
  described: Map<string, Attributes>;
}

/** The file of an assembly that has the template. */
export const TEMPLATE = 'RunService.template.json';

const pseudo: Record<string, string> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Region': REGION,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'RunService',
  'AWS::StackId': `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/RunService/local`,
};

/**
 * Reads the template of the stack in a cloud assembly, with the settings of the start.
 * Throws SetupError, with a one-line message, for an unsupported resource type or intrinsic.
 */
export function loadStack(
  cdkOut: string,
  addresses: Addresses,
  services: Services,
  settings: StageSettings,
): Stack {
  const file = join(cdkOut, TEMPLATE);
  if (!existsSync(file)) throw new SetupError(`${file} does not exist: was the stack synthesized?`);
  const template = withSettings(parseObject(readFileSync(file, 'utf8'), file), settings);
  return readStack(template, addresses, cdkOut, services);
}

/** The same for a parsed template; asset paths are relative to `cdkOut`. */
export function readStack(
  template: JsonObject,
  addresses: Addresses,
  cdkOut: string,
  services: Services,
): Stack {
  const scope: Scope = {
    services,
    addresses,
    parameters: objectAt(template.Parameters, 'Parameters'),
    raw: new Map(),
    described: new Map(),
  };
  const declared = Object.entries(objectAt(template.Resources, 'Resources'));
  for (const [id, value] of declared) {
    const resource = objectAt(value, id);
    const type = stringAt(resource.Type, `${id}.Type`);
    if (!describerOf(services, type))
      throw new SetupError(`${id}: the local runtime does not know the resource type ${type}`);
    scope.raw.set(id, { type, properties: objectAt(resource.Properties, `${id}.Properties`) });
  }
  const resources = new Map<string, Resource>();
  for (const [id, { type, properties }] of scope.raw) {
    const resolved = objectAt(resolve(properties, scope, id), id);
    const folder =
      type === 'AWS::Lambda::Function'
        ? assetFolder(objectAt(template.Resources, '')[id], resolved, id)
        : undefined;
    resources.set(id, {
      id,
      type,
      properties: resolved,
      attributes: attributesOf(id, scope),
      ...(folder ? { assetFolder: join(cdkOut, folder) } : {}),
    });
  }
  return {
    resources,
    ofType: (...types) => [...resources.values()].filter((resource) => types.includes(resource.type)),
  };
}

function assetFolder(declared: Json | undefined, properties: JsonObject, id: string): string {
  const path = optionalString(objectAt(objectAt(declared, id).Metadata, `${id}.Metadata`)['aws:asset:path']);
  if (path) return path;
  const key = optionalString(objectAt(properties.Code, `${id}.Code`).S3Key);
  if (key) return `asset.${key.replace(/\.zip$/, '')}`;
  throw new SetupError(`${id}: its code is no file asset`);
}

function attributesOf(id: string, scope: Scope): Attributes {
  const ready = scope.described.get(id);
  if (ready) return ready;
  const raw = scope.raw.get(id);
  const describe = raw && describerOf(scope.services, raw.type);
  if (!raw || !describe) throw new SetupError(`the template refers to ${id}, which it does not declare`);
  const naming: JsonObject = {};
  for (const [key, value] of Object.entries(raw.properties)) {
    // Attributes depend on names and targets only; resolving more properties could cause a cycle.
    if (/Name$|^TargetFunctionArn$/.test(key)) naming[key] = resolve(value, scope, `${id}.${key}`);
  }
  const attributes = describe(id, naming, scope.addresses);
  scope.described.set(id, attributes);
  return attributes;
}

function reference(name: string, scope: Scope): Json {
  const fixed = pseudo[name];
  if (fixed !== undefined) return fixed;
  if (Object.hasOwn(scope.parameters, name)) {
    const value = objectAt(scope.parameters[name], name).Default;
    if (value === undefined) throw new SetupError(`the parameter ${name} has no default`);
    return value;
  }
  return attributesOf(name, scope).ref;
}

function attribute(id: string, name: string, scope: Scope): string {
  const value = attributesOf(id, scope)[name];
  if (value === undefined || name === 'ref') {
    throw new SetupError(`Fn::GetAtt ${id}.${name}: the local runtime does not know this attribute`);
  }
  return value;
}

function resolve(value: Json | undefined, scope: Scope, where: string): Json | undefined {
  if (typeof value === 'string') return localized(value, scope);
  if (Array.isArray(value)) return value.map((item) => resolve(item, scope, where) ?? null);
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  const only = keys.length === 1 ? keys[0] : undefined;
  if (only === 'Ref') return reference(stringAt(value.Ref, where), scope);
  if (only?.startsWith('Fn::')) return intrinsic(only, value[only], scope, where);
  return Object.fromEntries(keys.map((key) => [key, resolve(value[key], scope, `${where}.${key}`)]));
}

function intrinsic(name: string, argument: Json | undefined, scope: Scope, where: string): Json {
  if (name === 'Fn::GetAtt') {
    const path = Array.isArray(argument) ? argument.map(String) : stringAt(argument, where).split('.');
    return attribute(path[0] ?? '', path.slice(1).join('.'), scope);
  }
  if (name === 'Fn::Sub') return localized(substitute(argument, scope, where), scope);
  if (name === 'Fn::Join') {
    const list = listAt(resolve(argument, scope, where), `${where} ${name}`);
    return localized(
      listAt(list[1], where)
        .map((part) => stringAt(part, where))
        .join(stringAt(list[0], where)),
      scope,
    );
  }
  throw new SetupError(`${where}: the local runtime does not know the intrinsic ${name}`);
}

function substitute(argument: Json | undefined, scope: Scope, where: string): string {
  const [text, extra] = Array.isArray(argument) ? argument : [argument];
  const own = objectAt(extra, where);
  return stringAt(text, where).replace(/\$\{([^}]+)\}/g, (_, name: string) => {
    if (name.startsWith('!')) return `\${${name.slice(1)}}`;
    if (Object.hasOwn(own, name)) return stringAt(resolve(own[name], scope, where), where);
    const dot = name.indexOf('.');
    return dot > 0
      ? attribute(name.slice(0, dot), name.slice(dot + 1), scope)
      : stringAt(reference(name, scope), where);
  });
}

/**
 * Replaces the deployed API's stage URL, wherever the template composes it, by the local address. Only the API has the
 * stage in its path.
 */
function localized(text: string, scope: Scope): string {
  if (text.includes('{{resolve:'))
    throw new SetupError('dynamic references ({{resolve:…}}) are not known locally');
  const deployed = `https://${REST_API_ID}.execute-api.${REGION}.amazonaws.com/api`;
  const { siteUrl } = scope.addresses;
  return text.replaceAll(`${deployed}/v1`, `${siteUrl}/api/v1`).replaceAll(deployed, siteUrl);
}
