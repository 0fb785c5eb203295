// A harbour, invented: boats and moorings.
import { random } from '../../random.ts';
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';

const SEED = 20_261_140;
const boats = Array.from({ length: 80 }, (_, i) => {
  const chance = random(SEED, i);
  return {
    name: `${['Gull', 'Tern', 'Heron', 'Kestrel'][i % 4]} ${i}`,
    harbour: chance.pick(['Cork', 'Brest', 'Bergen', 'Kiel']),
    class_code: chance.pick(['IN', 'ON', 'AT', 'BE', 'XL']),
    length_m: 4 + chance.below(300) / 10,
    draft_m: 0.5 + chance.below(40) / 10,
    berths: chance.below(9),
    built: 1950 + chance.below(75),
    engine_hours: chance.below(9000),
    fuel_level: chance.below(101) / 100,
    draught_change_cm: chance.below(80) - 40,
    insured: chance.chance(0.6),
    owner: chance.pick(['Mia Berg', 'Tom Reed', '王伟', 'सीता शर्मा']),
    last_service: new Date(Date.UTC(2024, 6, 1 + chance.below(700))).toISOString().slice(0, 10),
    price_eur: 3000 + chance.below(400000),
  };
});
const moorings = Array.from({ length: 60 }, (_, i) => {
  const chance = random(SEED + 1, i);
  return {
    name: `M${100 + i}`,
    harbour: chance.pick(['Cork', 'Brest', 'Bergen', 'Kiel']),
    depth_m: 2 + chance.below(90) / 10,
    tidal: chance.chance(0.5),
    fee_eur: 20 + chance.below(400),
    free_from: new Date(Date.UTC(2026, 0, 1 + chance.below(360))).toISOString().slice(0, 10),
    status: chance.pick(['free', 'taken', 'not usable']),
  };
});

const boat = truthsOver(boats);
const mooring = truthsOver(moorings);
const isIn = (h: string) => (one: { harbour: string }) => one.harbour === h;

const asked: readonly Asked[] = [
  ['count', 'How many boats lie in Kiel?', boat.count(isIn('Kiel'))],
  ['list', 'uninsured boats in Cork', boat.list((one) => !one.insured && isIn('Cork')(one))],
  [
    'list',
    'boats that are not insured and lie in Bergen or Brest',
    boat.list((one) => !one.insured && ['Bergen', 'Brest'].includes(one.harbour)),
  ],
  ['unit', 'boats longer than 30 ft', boat.list((one) => one.length_m > 30 * 0.3048)],
  ['unit', 'boats whose fuel level is under a quarter', 'quarter|under'],
  ['unit', 'boats with a fuel level of 100%', boat.list((one) => one.fuel_level === 1)],
  [
    'unit',
    'boats with a draft between 80 cm and 1.2 m',
    boat.list((one) => one.draft_m >= 0.8 && one.draft_m <= 1.2),
  ],
  ['unit', 'boats for less than €10,000', boat.list((one) => one.price_eur < 10000)],
  [
    'unit',
    'boats between 50k and 100k euros',
    boat.list((one) => one.price_eur >= 50000 && one.price_eur <= 100000),
  ],
  [
    'negative number',
    'boats with a draught change of -10 cm or less',
    boat.list((one) => one.draught_change_cm <= -10),
  ],
  [
    'negative number',
    'boats where draught change is less than -0.2 m',
    boat.list((one) => one.draught_change_cm < -20),
  ],
  [
    'negative number',
    'boats with a draught change from -5 to +5',
    boat.list((one) => Math.abs(one.draught_change_cm) <= 5),
  ],
  ['code', 'boats of class code AT or BE', boat.list((one) => ['AT', 'BE'].includes(one.class_code))],
  ['code', 'boats with class code ON', boat.list((one) => one.class_code === 'ON')],
  [
    'code',
    'boats with a class code of IN, ON or XL in Kiel',
    boat.list((one) => ['IN', 'ON', 'XL'].includes(one.class_code) && isIn('Kiel')(one)),
  ],
  ['code', 'boats whose class code is not IN', boat.list((one) => one.class_code !== 'IN')],
  ['count', 'boats with no berths', boat.list((one) => one.berths === 0)],
  ['count', 'boats with one berth', boat.list((one) => one.berths === 1)],
  ['count', 'boats with at least six berths', boat.list((one) => one.berths >= 6)],
  ['count', 'boats with 2 or 3 berths', boat.list((one) => [2, 3].includes(one.berths))],
  [
    'count',
    'boats with more than 3 but at most 5 berths',
    boat.list((one) => one.berths > 3 && one.berths <= 5),
  ],
  [
    'date',
    'boats built in the sixties or seventies',
    boat.list((one) => one.built >= 1960 && one.built < 1980),
  ],
  ['date', 'boats built before 1960 or after 2020', boat.list((one) => one.built < 1960 || one.built > 2020)],
  ['date', 'boats built from 1990 to 1995', boat.list((one) => one.built >= 1990 && one.built <= 1995)],
  [
    'date',
    'boats built between 2000 and 2005 in Brest',
    boat.list((one) => one.built >= 2000 && one.built <= 2005 && isIn('Brest')(one)),
  ],
  ['date', 'boats not serviced since 2025', boat.list((one) => one.last_service < '2025')],
  ['date', 'boats with a last service in 2024', boat.list((one) => one.last_service.startsWith('2024'))],
  ['date', 'boats with a last service in April', boat.list((one) => one.last_service.startsWith('2026-04'))],
  ['date', 'boats last serviced more than a year ago', 'more|year|ago|serviced'],
  ['date', 'boats older than 50 years', boat.list((one) => one.built < 1976)],
  [
    'date',
    'moorings free from 1 September 2026',
    [
      mooring.list((one) => one.free_from >= '2026-09-01'),
      mooring.list((one) => one.free_from === '2026-09-01'),
    ],
  ],
  ['date', 'moorings with free from after 2026-10-01', mooring.list((one) => one.free_from > '2026-10-01')],
  ['top', 'the 4 longest boats', boat.top(4, (one) => one.length_m)],
  ['top', 'shortest boat in Bergen', boat.bottom(1, (one) => one.length_m, isIn('Bergen'))],
  ['top', 'boats sorted by price, cheapest first', boat.bottom(1000, (one) => one.price_eur)],
  ['top', 'top 5 boats by engine hours', boat.top(5, (one) => one.engine_hours)],
  ['top', 'bottom 3 boats by fuel level', boat.bottom(3, (one) => one.fuel_level)],
  ['top', 'the boat with the fewest engine hours', boat.bottom(1, (one) => one.engine_hours)],
  [
    'top',
    'newest insured boat',
    boat.top(
      1,
      (one) => one.built,
      (one) => one.insured,
    ),
  ],
  ['top', 'deepest mooring in Kiel', mooring.top(1, (one) => one.depth_m, isIn('Kiel'))],
  [
    'top',
    'the 3 cheapest tidal moorings',
    mooring.bottom(
      3,
      (one) => one.fee_eur,
      (one) => one.tidal,
    ),
  ],
  ['not', 'moorings that are neither free nor taken', mooring.list((one) => one.status === 'not usable')],
  ['not', 'moorings not taken', mooring.list((one) => one.status !== 'taken')],
  ['not', 'moorings that are not usable', mooring.list((one) => one.status === 'not usable')],
  ['not', 'non-tidal moorings in Brest', mooring.list((one) => !one.tidal && isIn('Brest')(one))],
  ['not', 'boats in any harbour but Kiel', boat.list((one) => !isIn('Kiel')(one))],
  ['not', 'boats except those in Kiel and Cork', boat.list((one) => !['Kiel', 'Cork'].includes(one.harbour))],
  ['script', 'boats of 王伟', boat.list((one) => one.owner === '王伟')],
  ['script', 'How many boats does सीता शर्मा own?', boat.count((one) => one.owner === 'सीता शर्मा')],
  [
    'group',
    'average price of boats per harbour',
    boat.groups(
      (one) => one.harbour,
      (s) =>
        measured(
          'avg',
          s.map((one) => one.price_eur),
        ),
    ),
  ],
  [
    'group',
    'Which harbour has the most moorings?',
    mooring.groups(
      (one) => one.harbour,
      (same) => same.length,
      () => true,
      { limit: 1, sign: -1 },
    ),
  ],
  [
    'group',
    'total berths by class code',
    boat.groups(
      (one) => one.class_code,
      (s) =>
        measured(
          'sum',
          s.map((one) => one.berths),
        ),
    ),
  ],
  [
    'measure',
    'average fee of free moorings',
    mooring.measure(
      'avg',
      (one) => one.fee_eur,
      (one) => one.status === 'free',
    ),
  ],
  ['measure', 'How many berths are there in Cork?', boat.measure('sum', (one) => one.berths, isIn('Cork'))],
  [
    'measure',
    'maximum draft of boats built after 2000',
    [
      boat.measure(
        'max',
        (one) => one.draft_m,
        (one) => one.built > 2000,
      ),
      boat.top(
        1,
        (one) => one.draft_m,
        (one) => one.built > 2000,
      ),
    ],
  ],
  ['measure', 'median price of boats', 'median'],
  [
    'having',
    'owners with more than 20 boats',
    boat.groups(
      (one) => one.owner,
      (same) => same.length,
      ({ owner }) => boats.filter((one) => one.owner === owner).length > 20,
    ),
  ],
  [
    'having',
    'harbours with fewer than 15 moorings',
    mooring.groups(
      (one) => one.harbour,
      (same) => same.length,
      ({ harbour }) => moorings.filter(isIn(harbour)).length < 15,
    ),
  ],
  ['rank', 'third longest boat', 'third'],
  ['rank', 'the longest and the shortest boat', 'longest|shortest|and'],
  ['rank', 'every boat but the 5 oldest', 'but|every'],
  ['rank', 'the next 5 longest boats', 'next'],
  ['measure of the first', 'average length of the 10 most expensive boats', 'average|10|most'],
  ['measure of the first', 'how many berths do the 3 longest boats have', '3|longest|many'],
  ['best of each', 'the longest boat of each owner', 'longest|each'],
  ['best of each', 'oldest boat per harbour', 'oldest|per'],
  ['relation', 'boats in harbours with a tidal mooring', 'tidal|mooring|harbours'],
  ['relation', 'boats longer than Gull 0', 'longer|than|Gull'],
  ['relation', 'boats that cost more than the average', 'average|more'],
  ['relation', 'boats with the same owner as Tern 1', 'same'],
  ['relation', 'moorings for boats longer than 20 m', 'boats|longer|20'],
  ['relation', 'boats with twice as many berths as Tern 1', 'twice'],
  ['approximate', 'boats around 10 m long', 'around|10'],
  ['approximate', 'boats with roughly 4 berths', 'roughly|4'],
  ['unknown', 'boats for sale', 'sale'],
  ['unknown', 'boats built by Hallberg', 'Hallberg'],
  ['unknown', 'half of the boats', 'half'],
  ['unknown', 'most of the boats in Kiel', 'most'],
  ['unknown', 'boats with an odd number of berths', 'odd'],
  ['unknown', 'a random boat', 'random'],
  ['unknown', 'boats with berths divisible by 3', 'divisible|3'],
];

export const harbour: Vocabulary = {
  name: 'harbour',
  rows: [...rowsOf('boat', boats), ...rowsOf('mooring', moorings)],
  asked,
};
