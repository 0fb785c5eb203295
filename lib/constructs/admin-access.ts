// The admin function. It has no route: only IAM grants access.
import { Construct } from 'constructs';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

/** Executes the commands of the admin CLI. */
export class Admin extends Construct {
  readonly function: ServiceFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    this.function = new ServiceFunction(this, 'Admin', props);
  }
}
