// Preloaded into a service between whose functions and table a network stands that can lose calls and answers.
import { awsServices } from '../../../lib/local/aws-services.ts';
import { observedServices } from '../../support/observed/observed-services.ts';
import type { Order } from './inside-service.ts';

let lostShare = 0;

const { services, faults } = observedServices(awsServices.map((service) => ({ ...service })));
for (const [i, service] of awsServices.entries()) Object.assign(service, { open: services[i]?.open });

faults.add(({ service }) => {
  if (service !== 'dynamodb' || Math.random() >= lostShare) return undefined;
  return { kind: Math.random() < 0.5 ? 'cut' : 'error' };
});

process.on('message', (order: Order) => {
  if ('lost_share' in order) lostShare = order.lost_share;
});
process.channel?.unref();
