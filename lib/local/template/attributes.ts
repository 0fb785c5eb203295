// What Ref and Fn::GetAtt give for each resource type that the local runtime knows.
import { type JsonObject, optionalString } from '../json-values.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const REST_API_ID = 'local';

/** What other resources may read of one resource. */
export interface Attributes {
  ref: string;
  [attribute: string]: string;
}

/** Where the local cloud is reached; no slash at the end. */
export interface Addresses {
  /** Stands for the deployed API's stage URL. */
  siteUrl: string;
  /** The AWS services. Queue URLs lie there: the SDK sends to a queue's URL, whatever its endpoint. */
  endpointUrl: string;
}

type Describe = (id: string, properties: JsonObject, addresses: Addresses) => Attributes;

const arn = (service: string, rest: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`;
const named = (property: string, id: string, properties: JsonObject) =>
  optionalString(properties[property]) ?? id;
const inert: Describe = (id) => ({ ref: id, Arn: arn('local', id), Id: id });

const describeTable: Describe = (id, properties) => {
  const name = named('TableName', id, properties);
  return { ref: name, Arn: arn('dynamodb', `table/${name}`) };
};

const known: Record<string, Describe> = {
  'AWS::ApiGateway::RestApi': () => ({ ref: REST_API_ID, RestApiId: REST_API_ID, RootResourceId: 'root' }),
  'AWS::ApiGateway::Resource': (id) => ({ ref: id, ResourceId: id }),
  'AWS::ApiGateway::Method': inert,
  'AWS::ApiGateway::Deployment': (id) => ({ ref: id, DeploymentId: id }),
  'AWS::ApiGateway::Stage': (id, properties) => ({ ref: named('StageName', id, properties) }),
  'AWS::ApiGateway::GatewayResponse': inert,
  'AWS::ApiGateway::Account': inert,
  'AWS::Lambda::Function': (id, properties) => {
    const name = named('FunctionName', id, properties);
    return { ref: name, Arn: arn('lambda', `function:${name}`) };
  },
  'AWS::Lambda::Url': (id, properties, { siteUrl }) => {
    const target = optionalString(properties.TargetFunctionArn) ?? id;
    const name = target.split(':').at(-1) ?? id;
    return { ref: target, FunctionArn: target, FunctionUrl: `${siteUrl}/function-url/${name}/` };
  },
  'AWS::Lambda::EventSourceMapping': inert,
  'AWS::Lambda::EventInvokeConfig': inert,
  'AWS::Lambda::Permission': inert,
  'AWS::DynamoDB::Table': describeTable,
  'AWS::DynamoDB::GlobalTable': describeTable,
  'AWS::SQS::Queue': (id, properties, { endpointUrl }) => {
    const name = named('QueueName', id, properties);
    const url = `${endpointUrl}/${ACCOUNT}/${name}`;
    return { ref: url, QueueUrl: url, QueueName: name, Arn: arn('sqs', name) };
  },
  'AWS::S3::Bucket': (id, properties) => {
    const name = named('BucketName', id.toLowerCase(), properties);
    return { ref: name, Arn: `arn:aws:s3:::${name}` };
  },
  'AWS::StepFunctions::StateMachine': (id, properties) => {
    const name = named('StateMachineName', id, properties);
    const machine = arn('states', `stateMachine:${name}`);
    return { ref: machine, Arn: machine, Name: name };
  },
  'AWS::Events::Rule': (id, properties) => {
    const name = named('Name', id, properties);
    return { ref: name, Arn: arn('events', `rule/${name}`) };
  },
  'AWS::Scheduler::Schedule': (id, properties) => {
    const name = named('Name', id, properties);
    return { ref: name, Arn: arn('scheduler', `schedule/default/${name}`) };
  },
  'AWS::Scheduler::ScheduleGroup': inert,
  'AWS::KMS::Key': (id) => ({ ref: id, KeyId: id, Arn: arn('kms', `key/${id}`) }),
  'AWS::KMS::Alias': (id, properties) => ({ ref: named('AliasName', id, properties) }),
  'AWS::SecretsManager::Secret': (id, properties) => {
    const secret = arn('secretsmanager', `secret:${named('Name', id, properties)}-Local1`);
    return { ref: secret, Id: secret };
  },
  'AWS::SecretsManager::ResourcePolicy': inert,
  'AWS::IAM::Role': (id, properties) => {
    const name = named('RoleName', id, properties);
    return { ref: name, Arn: `arn:aws:iam::${ACCOUNT}:role/${name}`, RoleId: id };
  },
  'AWS::IAM::Policy': inert,
  'AWS::IAM::ManagedPolicy': (id) => ({ ref: `arn:aws:iam::${ACCOUNT}:policy/${id}` }),
  'AWS::Logs::LogGroup': (id, properties) => {
    const name = named('LogGroupName', id, properties);
    return { ref: name, Arn: arn('logs', `log-group:${name}:*`) };
  },
  'AWS::SQS::QueuePolicy': inert,
  'AWS::S3::BucketPolicy': inert,
  'AWS::CDK::Metadata': inert,
};

/** Resource families that only matter in an account: accepted, and without effect here. */
const inertFamilies = ['AWS::CloudWatch::', 'AWS::Logs::', 'AWS::SNS::', 'AWS::WAFv2::'];

/** Returns how a resource type describes itself; undefined for a type that the runtime does not know. */
export function describerOf(type: string): Describe | undefined {
  const own = Object.hasOwn(known, type) ? known[type] : undefined;
  return own ?? (inertFamilies.some((family) => type.startsWith(family)) ? inert : undefined);
}
