// What Ref and Fn::GetAtt give for a resource: the shared parts of how services describe their resource types.
import { type JsonObject, optionalString } from '../json-values.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const REST_API_ID = 'local';

/** What other resources may read of one resource. */
export interface Attributes {
  ref: string;
  [attribute: string]: string;
}

/** Addresses of the local cloud; no slash at the end. */
export interface Addresses {
  /** Stands for the deployed API's stage URL. */
  siteUrl: string;
  /** The AWS endpoint. Queue URLs start with it: the SDK sends to a queue's URL, whatever its own endpoint is. */
  endpointUrl: string;
}

/** Describes one resource by its logical id and those of its properties that name it or its target. */
export type DescribeResource = (id: string, properties: JsonObject, addresses: Addresses) => Attributes;

/** Resource types and how each describes itself; a name that ends in `*` stands for a whole family. */
export type ResourceTypes = Readonly<Record<string, DescribeResource>>;

/** The ARN of something in the local account. */
export function arn(service: string, rest: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`;
}

/** The name that a property gives, else the logical id. */
export function named(property: string, id: string, properties: JsonObject): string {
  return optionalString(properties[property]) ?? id;
}

/** Describes a resource that has no effect on one machine. */
export const inert: DescribeResource = (id) => ({ ref: id, Arn: arn('local', id), Id: id });

/** Returns how a resource type describes itself; undefined for a type that no service lists. */
export function describerOf(
  services: readonly { resources: ResourceTypes }[],
  type: string,
): DescribeResource | undefined {
  const family = `${type.split('::').slice(0, 2).join('::')}::*`;
  for (const name of [type, family])
    for (const { resources } of services) if (Object.hasOwn(resources, name)) return resources[name];
  return undefined;
}
