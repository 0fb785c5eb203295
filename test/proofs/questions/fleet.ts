// A fleet: vehicles, drivers and trips.
import type { DataSet, Question, Row } from '#domain/evaluation/truth.ts';
import { random } from '../random.ts';
import { at, has, number, text, truthsOf } from './truth.ts';

const MAKES = ['Volvo', 'MAN', 'Scania', 'Ford'];
const KINDS = ['truck', 'van', 'bus'];
const PLACES = ['Hamburg', 'Rotterdam', 'Lyon', 'New Town'];
const CARGO = ['steel', 'fresh food', 'furniture', 'chemicals'];

const DAY = 86_400_000;
const momentOf = (from: number, days: number) => Date.UTC(from, 0, 1) + days * DAY + 3_600_000;

function rowsOf(seed: number): Row[] {
  const vehicles = Array.from({ length: 400 }, (_, i): Row => {
    const chance = random(seed, i);
    return {
      type: 'vehicle',
      name: `Vehicle ${i}`,
      fields: {
        make: chance.pick(MAKES),
        kind: chance.pick(KINDS),
        model_year: 2005 + chance.below(20),
        mileage_km: chance.below(600_000) + i / 1000,
        fuel: chance.pick(['diesel', 'petrol', 'hydrogen']),
        is_electric: chance.chance(0.2),
        depot: { city: chance.pick(PLACES), bay: chance.below(40) },
        max_load_kg: 500 + chance.below(200) * 100 + i / 1000,
        last_inspection: momentOf(2025, chance.below(500)),
        status: chance.pick(['active', 'in repair', 'retired']),
      },
    };
  });
  const drivers = Array.from({ length: 300 }, (_, i): Row => {
    const chance = random(seed + 1, i);
    return {
      type: 'driver',
      name: `Driver ${i}`,
      fields: {
        licenses: ['B', 'C', 'CE', 'D'].filter((_, k) => k === 0 || chance.chance(0.4)),
        hire_date: new Date(momentOf(2008, chance.below(6500))).toISOString().slice(0, 10),
        age: 21 + (i * 44) / 300,
        safety_score: 50 + chance.below(5000) / 100 + i / 100_000,
        home: { city: chance.pick(PLACES) },
        salary: 30_000 + chance.below(300) * 100 + i / 1000,
        ...(chance.chance(0.3) && { supervisor: `Driver ${chance.below(300)}` }),
      },
    };
  });
  const trips = Array.from({ length: 2500 }, (_, i): Row => {
    const chance = random(seed + 2, i);
    return {
      type: 'trip',
      name: `Trip ${i}`,
      fields: {
        vehicle: `Vehicle ${chance.below(400)}`,
        driver: `Driver ${chance.below(300)}`,
        origin: chance.pick(PLACES),
        destination: chance.pick(PLACES),
        distance_km: 20 + chance.below(1500) + i / 100_000,
        duration_hours: 1 + chance.below(200) / 10,
        departed_at: momentOf(2024, chance.below(890)),
        cargo: chance.pick(CARGO),
        fuel_used_l: 10 + chance.below(4000) / 10 + i / 100_000,
        delayed: chance.chance(0.25),
      },
    };
  });
  return [...vehicles, ...drivers, ...trips];
}

function questionsOn(rows: Row[]): Question[] {
  const vehicle = truthsOf(rows, 'vehicle');
  const driver = truthsOf(rows, 'driver');
  const trip = truthsOf(rows, 'trip');
  const moment = (row: Row) => number(row, 'departed_at');
  const within = (from: string, to: string) => (row: Row) =>
    moment(row) >= Date.parse(from) && moment(row) < Date.parse(to);
  const cargo = (name: string) => (row: Row) => text(row, 'cargo') === name;
  return [
    ['How many vans do we have?', vehicle.count((row) => text(row, 'kind') === 'van')],
    [
      'List the Volvo trucks',
      vehicle.list((row) => text(row, 'make') === 'Volvo' && text(row, 'kind') === 'truck'),
    ],
    ['electric vehicles', vehicle.list((row) => at(row, 'is_electric') === true)],
    [
      'non-electric buses',
      vehicle.list((row) => at(row, 'is_electric') === false && text(row, 'kind') === 'bus'),
    ],
    ['vehicles in repair', vehicle.list((row) => text(row, 'status') === 'in repair')],
    [
      'vehicles that are neither retired nor in repair',
      vehicle.list((row) => text(row, 'status') === 'active'),
    ],
    ['vehicles with over 500,000 km', vehicle.list((row) => number(row, 'mileage_km') > 500_000)],
    [
      'vehicles with a mileage between 100k and 200k',
      vehicle.list((row) => number(row, 'mileage_km') >= 100_000 && number(row, 'mileage_km') <= 200_000),
    ],
    [
      'vehicles that can load at least 20 tonnes',
      vehicle.list((row) => number(row, 'max_load_kg') >= 20_000),
    ],
    [
      'vehicles with a max load of at least 20 t',
      vehicle.list((row) => number(row, 'max_load_kg') >= 20_000),
    ],
    ['vehicles from before 2008', vehicle.list((row) => number(row, 'model_year') < 2008)],
    ['the 5 vehicles with the latest inspection', vehicle.top(5, 'last_inspection')],
    ['vehicles by model year since 2020', vehicle.list((row) => number(row, 'model_year') >= 2020)],
    [
      'hydrogen vehicles at the depot in Lyon',
      vehicle.list((row) => text(row, 'fuel') === 'hydrogen' && text(row, 'depot.city') === 'Lyon'),
    ],
    ['How many vehicles are in New Town?', vehicle.count((row) => text(row, 'depot.city') === 'New Town')],
    ['vehicles per depot city', vehicle.groups('depot.city')],
    ['average mileage by make', vehicle.groups('make', 'avg', 'mileage_km')],
    [
      'Which make has the highest average mileage?',
      vehicle.groups('make', 'avg', 'mileage_km', () => true, { limit: 1 }),
    ],
    [
      'vehicles last inspected before July 2025',
      vehicle.list((row) => number(row, 'last_inspection') < Date.UTC(2025, 6, 1)),
    ],
    [
      'vehicles with the last inspection in 2026',
      vehicle.list(
        (row) =>
          number(row, 'last_inspection') >= Date.UTC(2026, 0, 1) &&
          number(row, 'last_inspection') < Date.UTC(2027, 0, 1),
      ),
    ],
    [
      'diesel or petrol vans not in Hamburg',
      vehicle.list(
        (row) =>
          ['diesel', 'petrol'].includes(text(row, 'fuel')) &&
          text(row, 'kind') === 'van' &&
          text(row, 'depot.city') !== 'Hamburg',
      ),
    ],
    ['Which vehicle has the lowest mileage?', vehicle.top(1, 'mileage_km', 'asc')],
    ['Which fuels are there?', vehicle.values('fuel')],
    ['MAN and Scania vehicles', vehicle.list((row) => ['MAN', 'Scania'].includes(text(row, 'make')))],
    [
      'Ford vehicles sorted by mileage ascending',
      vehicle.top(400, 'mileage_km', 'asc', (row) => text(row, 'make') === 'Ford'),
    ],
    ['drivers over 60', null],
    ['drivers older than 60', driver.list((row) => number(row, 'age') > 60)],
    ['drivers aged 30 to 35', driver.list((row) => number(row, 'age') >= 30 && number(row, 'age') <= 35)],
    ['drivers under 25 years old', driver.list((row) => number(row, 'age') < 25)],
    ['the youngest driver', driver.top(1, 'age', 'asc')],
    ['drivers with license CE', driver.list((row) => has(row, 'licenses', 'CE'))],
    ['drivers without a supervisor', driver.list((row) => at(row, 'supervisor') === undefined)],
    ['drivers who live in Rotterdam', driver.list((row) => text(row, 'home.city') === 'Rotterdam')],
    ['drivers hired in 2015', driver.list((row) => text(row, 'hire_date').startsWith('2015'))],
    [
      'drivers hired before 2010 or after 2023',
      driver.list((row) => text(row, 'hire_date') < '2010' || text(row, 'hire_date') >= '2024'),
    ],
    ['top 5 drivers by safety score', driver.top(5, 'safety_score')],
    ['bottom 3 drivers by safety score', driver.top(3, 'safety_score', 'asc')],
    ['Which drivers earn more than 55k?', driver.list((row) => number(row, 'salary') > 55_000)],
    [
      'average salary of drivers in Lyon',
      driver.measure('avg', 'salary', (row) => text(row, 'home.city') === 'Lyon'),
    ],
    ['highest salary per home city', driver.groups('home.city', 'max', 'salary')],
    ['best paid driver', null],
    ['driver with the highest salary', driver.top(1, 'salary')],
    [
      'trips from Hamburg to Lyon',
      trip.list((row) => text(row, 'origin') === 'Hamburg' && text(row, 'destination') === 'Lyon'),
    ],
    ['How many trips went to Rotterdam?', null],
    ['trips to Rotterdam', trip.list((row) => text(row, 'destination') === 'Rotterdam')],
    [
      'delayed trips with chemicals',
      trip.list((row) => at(row, 'delayed') === true && cargo('chemicals')(row)),
    ],
    [
      'trips that were not delayed in March 2025',
      trip.list((row) => at(row, 'delayed') === false && within('2025-03-01', '2025-04-01')(row)),
    ],
    ['trips longer than 1000 km', trip.list((row) => number(row, 'distance_km') > 1000)],
    ['trips longer than 18 hours', trip.list((row) => number(row, 'duration_hours') > 18)],
    ['the longest trip', null],
    ['trip with the longest distance', trip.top(1, 'distance_km')],
    [
      'total distance of trips in 2025',
      trip.measure('sum', 'distance_km', within('2025-01-01', '2026-01-01')),
    ],
    ['total fuel used per cargo', trip.groups('cargo', 'sum', 'fuel_used_l')],
    ['trips departed since 2026-03-15', trip.list((row) => moment(row) >= Date.parse('2026-03-15'))],
    ['trips that departed between 1 May 2025 and 15 May 2025', trip.list(within('2025-05-01', '2025-05-16'))],
    [
      'fresh food trips in Q2 2025',
      trip.list((row) => cargo('fresh food')(row) && within('2025-04-01', '2025-07-01')(row)),
    ],
    ['Which driver had the most trips?', trip.groups('driver', 'count', '', () => true, { limit: 1 })],
    ['trips by Driver 5', trip.list((row) => text(row, 'driver') === 'Driver 5')],
    [
      'number of trips per origin and destination',
      {
        kind: 'groups',
        inOrder: false,
        groups: [
          ...Map.groupBy(
            rows.filter(({ type }) => type === 'trip'),
            (row) => `${text(row, 'origin')} / ${text(row, 'destination')}`,
          ),
        ].map(([name, same]) => [name, same.length]),
      },
    ],
    [
      'top 2 destinations by total distance',
      trip.groups('destination', 'sum', 'distance_km', () => true, { limit: 2 }),
    ],
    [
      'furniture trips using more than 400 liters',
      trip.list((row) => cargo('furniture')(row) && number(row, 'fuel_used_l') > 400),
    ],
    [
      'everything except steel and furniture trips',
      trip.list((row) => !['steel', 'furniture'].includes(text(row, 'cargo'))),
    ],
    ['Which vehicles need new tires?', null],
    ['drivers with parking tickets', null],
    ['trips with accidents', null],
    ['vehicles parked nearby', null],
    ['How many drivers called in sick yesterday?', null],
    ['trips affected by snow', null],
    ['Optimize the route from Hamburg to Lyon', null],
    ['fuel prices in Hamburg', null],
    ['trips per week', trip.groups((row) => mondayOf(moment(row)))],
    ['trips per fortnight', null],
    ['vehicles insured until 2027', null],
  ];
}

/** The Monday before a moment, as a day. */
function mondayOf(ms: number): string {
  const day = new Date(ms);
  while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

export function fleet(seed: number): DataSet {
  const rows = rowsOf(seed);
  return { name: 'fleet', rows, questions: questionsOn(rows) };
}
