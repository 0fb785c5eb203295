// The admin function: no route leads to it, only IAM decides who may invoke it.
import { Construct } from 'constructs';
import { ServiceFunction, type Shared } from './service-function.ts';

/** Takes the admin CLI's commands. */
export class Admin extends Construct {
  readonly function: ServiceFunction;

  constructor(scope: Construct, id: string, shared: Shared) {
    super(scope, id);
    this.function = new ServiceFunction(this, 'Admin', shared);
  }
}
