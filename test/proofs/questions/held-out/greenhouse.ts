// A greenhouse, invented: plants, benches and sensors.
import { random } from '../../random.ts';
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';

const SEED = 20_261_130;
const plants = Array.from({ length: 90 }, (_, i) => {
  const chance = random(SEED, i);
  return {
    name: `${['Ficus', 'Monstera', 'Basil', 'Orchid', 'Fern'][i % 5]} ${i}`,
    species: ['ficus', 'monstera', 'basil', 'orchid', 'fern'][i % 5] ?? '',
    bench: `B${1 + chance.below(8)}`,
    height_cm: 5 + chance.below(180),
    moisture: chance.below(101) / 100,
    sown_on: new Date(Date.UTC(2025, 5, 1 + chance.below(370))).toISOString().slice(0, 10),
    edible: i % 5 === 2,
    pots: 1 + chance.below(4),
    pests: ['aphids', 'mites', 'scale'].filter(() => chance.chance(0.2)),
  };
});
const sensors = Array.from({ length: 30 }, (_, i) => {
  const chance = random(SEED + 1, i);
  return {
    name: `Probe ${i}`,
    zone: chance.pick(['north', 'south', 'cold frame']),
    min_temp_c: chance.below(30) - 12,
    battery: chance.below(101),
    online: chance.chance(0.8),
  };
});
type Plant = (typeof plants)[number];

const plant = truthsOver(plants);
const sensor = truthsOver(sensors);
const isA = (species: string) => (one: Plant) => one.species === species;

const asked: readonly Asked[] = [
  ['count', 'How many ferns are there?', plant.count(isA('fern'))],
  ['list', 'edible plants on bench B3', plant.list((one) => one.edible && one.bench === 'B3')],
  [
    'list',
    'plants with pests aphids or mites',
    plant.list((one) => one.pests.includes('aphids') || one.pests.includes('mites')),
  ],
  ['not', 'plants without mites', plant.list((one) => !one.pests.includes('mites'))],
  [
    'not',
    'orchids that are not on bench B1 or B2',
    plant.list((one) => isA('orchid')(one) && !['B1', 'B2'].includes(one.bench)),
  ],
  ['count', 'plants with two pots', plant.list((one) => one.pots === 2)],
  [
    'bounds',
    'plants taller than 1 m but shorter than 1.2 m',
    plant.list((one) => one.height_cm > 100 && one.height_cm < 120),
  ],
  ['unit', 'plants with a moisture below 20%', plant.list((one) => one.moisture < 0.2)],
  ['unit', 'plants with a moisture of at most 0,1', plant.list((one) => one.moisture <= 0.1)],
  ['date', 'plants sown in March', plant.list((one) => one.sown_on.startsWith('2026-03'))],
  ['date', 'plants sown in July and August 2025', plant.list((one) => /^2025-0[78]/.test(one.sown_on))],
  [
    'date',
    'basil sown since 2026-02-01',
    plant.list((one) => isA('basil')(one) && one.sown_on >= '2026-02-01'),
  ],
  [
    'date',
    'plants sown in the last 60 days',
    plant.list((one) => one.sown_on >= '2026-04-16' && one.sown_on <= '2026-06-15'),
  ],
  ['negative number', 'sensors with a min temp below -5', sensor.list((one) => one.min_temp_c < -5)],
  ['negative number', 'sensors with a min temp of -3 or lower', sensor.list((one) => one.min_temp_c <= -3)],
  [
    'negative number',
    'sensors with min temp between -10 and -1',
    sensor.list((one) => one.min_temp_c >= -10 && one.min_temp_c <= -1),
  ],
  ['top', 'The 3 shortest plants by height', plant.bottom(3, (one) => one.height_cm)],
  ['top', 'tallest monstera', plant.top(1, (one) => one.height_cm, isA('monstera'))],
  ['top', 'latest sown plant', plant.top(1, (one) => one.sown_on)],
  [
    'group',
    'average height by species',
    plant.groups(
      (one) => one.species,
      (same) =>
        measured(
          'avg',
          same.map((one) => one.height_cm),
        ),
    ),
  ],
  [
    'group',
    'Which bench has the most pots?',
    [
      plant.groups(
        (one) => one.bench,
        (same) =>
          measured(
            'sum',
            same.map((one) => one.pots),
          ),
        () => true,
        { limit: 1, sign: -1 },
      ),
    ],
  ],
  [
    'having',
    'Benches with at least 12 plants',
    plant.groups(
      (one) => one.bench,
      (same) => same.length,
      (one) => plants.filter(({ bench }) => bench === one.bench).length >= 12,
    ),
  ],
  [
    'measure',
    'total pots of edible plants',
    plant.measure(
      'sum',
      (one) => one.pots,
      (one) => one.edible,
    ),
  ],
  ['list', 'sensors that are offline', [sensor.list((one) => !one.online)]],
  ['list', 'online sensors in the cold frame', sensor.list((one) => one.online && one.zone === 'cold frame')],
  ['measure of the first', 'Average height of the 10 oldest plants', 'Average|10|oldest'],
  ['best of each', 'tallest plant on each bench', 'tallest|each'],
  ['approximate', 'plants around 50 cm tall', 'around|50'],
  ['unknown', 'plants that need watering', 'need|watering'],
  ['relation', 'plants near a sensor', 'near|sensor'],
];

export const greenhouse: Vocabulary = {
  name: 'greenhouse',
  rows: [...rowsOf('plant', plants), ...rowsOf('sensor', sensors)],
  asked,
};
