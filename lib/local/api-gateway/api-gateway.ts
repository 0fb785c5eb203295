// API Gateway's resource types. The runtime itself serves the REST API, because the port comes first.
import type { AwsService } from '../aws-service.ts';
import { inert, named, REST_API_ID } from '../template/attributes.ts';

export const apiGateway: AwsService = {
  name: 'apigateway',
  resources: {
    'AWS::ApiGateway::Account': inert,
    'AWS::ApiGateway::Deployment': (id) => ({ ref: id, DeploymentId: id }),
    'AWS::ApiGateway::GatewayResponse': inert,
    'AWS::ApiGateway::Method': inert,
    'AWS::ApiGateway::Resource': (id) => ({ ref: id, ResourceId: id }),
    'AWS::ApiGateway::RestApi': () => ({
      ref: REST_API_ID,
      RestApiId: REST_API_ID,
      RootResourceId: 'root',
    }),
    'AWS::ApiGateway::Stage': (id, properties) => ({ ref: named('StageName', id, properties) }),
  },
};
