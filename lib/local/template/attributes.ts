// What Ref and Fn::GetAtt return for a resource, and helpers for services to describe their resource types.
import { type JsonObject, optionalString } from '../json-values.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const REST_API_ID = 'local';

/** The attributes that other resources may read. */
export interface Attributes {
  ref: string;
  [attribute: string]: string;
}

/** Addresses of the local cloud, without a trailing slash. */
export interface Addresses {
  /** Replaces the deployed API's stage URL. */
  siteUrl: string;
  /** The AWS endpoint. Queue URLs start with it: the SDK sends to a queue's URL and ignores its endpoint setting. */
  endpointUrl: string;
}

/** Describes a resource by its logical id and the properties that name it or its target. */
export type DescribeResource = (id: string, properties: JsonObject, addresses: Addresses) => Attributes;

/** Descriptions by resource type; a name that ends in `*` matches a whole family. */
export type ResourceTypes = Readonly<Record<string, DescribeResource>>;

/** The ARN of something in the local account. */
export function arn(service: string, rest: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`;
}

/** The name in a property, else the logical id. */
export function named(property: string, id: string, properties: JsonObject): string {
  return optionalString(properties[property]) ?? id;
}

/** Describes a resource without effect on one machine. */
export const inert: DescribeResource = (id) => ({ ref: id, Arn: arn('local', id), Id: id });

/** The description of a resource type; undefined for a type that no service lists. */
export function describerOf(
  services: readonly { resources: ResourceTypes }[],
  type: string,
): DescribeResource | undefined {
  const family = `${type.split('::').slice(0, 2).join('::')}::*`;
  for (const name of [type, family])
    for (const { resources } of services) if (Object.hasOwn(resources, name)) return resources[name];
  return undefined;
}
