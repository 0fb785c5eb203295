// Hundreds of deliveries due at once, one receiver in twenty dead: on a separate service, whose table the test fills.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_VERSION } from '../../functions/contract/limits.ts';
import { newId } from '../../functions/platform/ids.ts';
import * as deliveries from '../../functions/store/runs/deliveries.ts';
import { eventId } from '../../functions/store/runs/events.ts';
import { transact } from '../../functions/store/table/table.ts';
import { due, duePartition } from '../../functions/store/table/table-keys.ts';
import { type OpenService, openService } from '../support/open-service.ts';
import { until } from '../support/service.ts';
import { type CustomerServer, customer, status } from './webhook-receiver.ts';

const RECEIVERS = 20;
const EACH = 20;

let service: OpenService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stop());

/** Deliveries to the receivers in turn, whose messages were lost, so that the sweep finds them all at once. */
async function fall(receivers: CustomerServer[]): Promise<deliveries.DeliveryRecord[]> {
  const { workspace_id } = await service.invoke('Admin', { command: 'workspace.create', name: 'Many' });
  const { key_id } = await service.invoke('Admin', { command: 'key.create', workspace_id, scopes: 'all' });
  const all = Array.from({ length: RECEIVERS * EACH }, (_, i): deliveries.DeliveryRecord => {
    const run_id = newId();
    return {
      workspace_id,
      run_id,
      event_id: eventId(run_id, 1),
      event_type: 'run.succeeded',
      url: receivers[i % RECEIVERS]?.url ?? '',
      api_version: API_VERSION,
      key_id,
      body: '{}',
      status: 'pending',
      attempts: [],
      next_attempt: 1,
      last_attempt: 3,
      due_pk: duePartition(due.deliveries, run_id),
      due_at: 1,
    };
  });
  for (let i = 0; i < all.length; i += 50) await transact(all.slice(i, i + 50).map(deliveries.deliveryWrite));
  return all;
}

const isOf = (receiver: CustomerServer) => (delivery: deliveries.DeliveryRecord) =>
  delivery.url === receiver.url;

test('one dead receiver among twenty does not hold up the deliveries to the others', async () => {
  const dead = await customer(() => {});
  const living = await Promise.all(Array.from({ length: RECEIVERS - 1 }, () => customer(status(200))));
  const all = await fall([dead, ...living]);
  await service.invoke('Sweep');
  const events = () =>
    new Set(living.flatMap(({ received }) => received.map(({ headers }) => headers['x-service-event-id'])));
  const wanted = all.filter((delivery) => !isOf(dead)(delivery)).map(({ event_id }) => event_id);
  // The dead one alone takes longer than this, were its posts made one after the other: 10 s for each.
  await until('a post for each', async () => events().size >= wanted.length || undefined, 190_000);
  expect([...events()].sort()).toEqual(wanted.sort());
  const unanswered = await Promise.all(all.filter(isOf(dead)).map(deliveries.get));
  expect(new Set(unanswered.map((delivery) => delivery?.status))).toEqual(new Set(['pending']));
}, 240_000);
