// A freight forwarder, invented: shipments and carriers.
import { random } from '../../random.ts';
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';

const SEED = 20_261_131;
const PORTS = ['Hamburg', 'Rotterdam', 'Shanghai', 'Santos', 'Oslo'];
const shipments = Array.from({ length: 120 }, (_, i) => {
  const chance = random(SEED, i);
  return {
    name: `SH-${5000 + i}`,
    origin: chance.pick(PORTS),
    destination: chance.pick(PORTS),
    incoterm: chance.pick(['FOB', 'CIF', 'DAP', 'EXW']),
    gross_weight_kg: 500 + chance.below(24_000),
    volume_m3: 2 + chance.below(600) / 10,
    freight_usd: 300 + chance.below(9000),
    containers: chance.below(5),
    reefer_temp_c: chance.below(40) - 25,
    hazardous: chance.chance(0.2),
    eta: new Date(Date.UTC(2026, 0, 1 + chance.below(300))).toISOString().slice(0, 10),
    ...(chance.chance(0.6) && { customs_ref: `CR${i}` }),
  };
});
const carriers = Array.from({ length: 20 }, (_, i) => {
  const chance = random(SEED + 1, i);
  return {
    name: `${['Blue', 'North', 'Delta', 'Polar'][i % 4]} Lines ${i}`,
    mode: chance.pick(['sea', 'rail', 'air']),
    on_time_rate: chance.below(101) / 100,
    fleet_size: 2 + chance.below(90) + i / 100,
  };
});
type Shipment = (typeof shipments)[number];

const shipment = truthsOver(shipments);
const carrier = truthsOver(carriers);
const isFrom = (port: string) => (one: Shipment) => one.origin === port;

const asked: readonly Asked[] = [
  [
    'list',
    'shipments with origin Hamburg and destination Oslo',
    shipment.list((one) => isFrom('Hamburg')(one) && one.destination === 'Oslo'),
  ],
  [
    'list',
    'shipments from Shanghai to Rotterdam',
    shipment.list((one) => isFrom('Shanghai')(one) && one.destination === 'Rotterdam'),
  ],
  ['count', 'How many shipments have incoterm FOB?', shipment.count((one) => one.incoterm === 'FOB')],
  [
    'code',
    'shipments with incoterm EXW or DAP',
    shipment.list((one) => ['EXW', 'DAP'].includes(one.incoterm)),
  ],
  ['not', 'shipments that are not hazardous', shipment.list((one) => !one.hazardous)],
  [
    'not',
    'non-hazardous shipments with origin Santos',
    shipment.list((one) => !one.hazardous && isFrom('Santos')(one)),
  ],
  ['presence', 'shipments without a customs ref', shipment.list((one) => one.customs_ref === undefined)],
  ['unit', 'shipments heavier than 20 t', shipment.list((one) => one.gross_weight_kg > 20_000)],
  ['unit', 'shipments with a gross weight under 2,5 t', shipment.list((one) => one.gross_weight_kg < 2500)],
  ['unit', 'carriers with an on time rate of at least 90%', carrier.list((one) => one.on_time_rate >= 0.9)],
  ['unit', 'shipments with a freight over 8000 EUR', 'EUR'],
  ['unit', 'shipments with a freight over $8k', shipment.list((one) => one.freight_usd > 8000)],
  [
    'negative number',
    'shipments with a reefer temp of -18',
    shipment.list((one) => one.reefer_temp_c === -18),
  ],
  [
    'negative number',
    'shipments with reefer temp below -20 °C',
    shipment.list((one) => one.reefer_temp_c < -20),
  ],
  [
    'negative number',
    'hazardous shipments with a reefer temp between -15 and -5',
    shipment.list((one) => one.hazardous && one.reefer_temp_c >= -15 && one.reefer_temp_c <= -5),
  ],
  ['count', 'shipments with exactly one container', shipment.list((one) => one.containers === 1)],
  ['count', 'shipments with no containers', shipment.list((one) => one.containers === 0)],
  [
    'bounds',
    'shipments with a volume of more than 30 and less than 35',
    shipment.list((one) => one.volume_m3 > 30 && one.volume_m3 < 35),
  ],
  ['date', 'shipments with an eta in July 2026', shipment.list((one) => one.eta.startsWith('2026-07'))],
  ['date', 'shipments with an eta by 2026-02-15', shipment.list((one) => one.eta <= '2026-02-15')],
  ['date', 'shipments with an eta next month', shipment.list((one) => one.eta.startsWith('2026-07'))],
  ['top', 'The 5 heaviest shipments', shipment.top(5, (one) => one.gross_weight_kg)],
  ['top', 'cheapest shipment by freight', shipment.bottom(1, (one) => one.freight_usd)],
  ['top', 'smallest carrier by fleet size', carrier.bottom(1, (one) => one.fleet_size)],
  [
    'group',
    'total freight per origin',
    shipment.groups(
      (one) => one.origin,
      (same) =>
        measured(
          'sum',
          same.map((one) => one.freight_usd),
        ),
    ),
  ],
  [
    'group',
    'number of hazardous shipments by destination',
    shipment.groups(
      (one) => one.destination,
      (same) => same.length,
      (one) => one.hazardous,
    ),
  ],
  [
    'having',
    'Origins with more than 25 shipments',
    shipment.groups(
      (one) => one.origin,
      (same) => same.length,
      (one) => shipments.filter(isFrom(one.origin)).length > 25,
    ),
  ],
  [
    'measure',
    'average volume of CIF shipments',
    shipment.measure(
      'avg',
      (one) => one.volume_m3,
      (one) => one.incoterm === 'CIF',
    ),
  ],
  ['name', 'SH-5003 and SH-5004', shipment.list((one) => ['SH-5003', 'SH-5004'].includes(one.name))],
  ['rank', 'all but the 10 heaviest shipments', 'but|all'],
  ['unknown', 'delayed shipments', 'delayed'],
  ['relation', 'shipments with the same origin and destination', 'same'],
];

export const freight: Vocabulary = {
  name: 'freight',
  rows: [...rowsOf('shipment', shipments), ...rowsOf('carrier', carriers)],
  asked,
};
