// The siblings of those kinds, asked of the same odds and ends.
import { type Asked, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { crates, dogs, events, leases, restaurants, stations, towns } from '../kinds/village.ts';

const lease = truthsOver(leases);
const dog = truthsOver(dogs);
const crate = truthsOver(crates);
const station = truthsOver(stations);
const town = truthsOver(towns);
const restaurant = truthsOver(restaurants);
const ratingOf = ({ rating }: (typeof restaurants)[number]) =>
  typeof rating === 'number' ? rating : undefined;

const asked: readonly Asked[] = [
  ['count', 'dogs with one trick', dog.list((one) => one.tricks === 1)],
  ['count', 'How many leases have two rooms?', lease.count((one) => one.rooms === 2)],
  ['count', 'dogs with no tricks', dog.list((one) => one.tricks === 0)],
  ['count', 'leases with at least three rooms', lease.list((one) => one.rooms >= 3)],
  ['count', 'towns with 2 cities nearby', town.list((one) => one.cities_nearby === 2)],
  [
    'bounds',
    'crates whose width and height are under 200',
    crate.list((one) => one.width < 200 && one.height < 200),
  ],
  [
    'bounds',
    'crates with a height of more than 150 but at most 250',
    crate.list((one) => one.height > 150 && one.height <= 250),
  ],
  [
    'bounds',
    'crates with width or height over 450',
    crate.list((one) => one.width > 450 || one.height > 450),
  ],
  ['unit', 'dogs younger than 1.5 years', dog.list((one) => one.age_months < 18)],
  ['unit', 'dogs over 30 months old', dog.list((one) => one.age_months > 30)],
  ['unit', 'crates filled below 10%', crate.list((one) => one.fill_ratio < 0.1)],
  [
    'unit',
    'crates with a fill ratio between 40% and 60%',
    crate.list((one) => one.fill_ratio >= 0.4 && one.fill_ratio <= 0.6),
  ],
  ['unit', 'dogs under 5000 g', dog.list((one) => one.weight_kg < 5)],
  ['unit', 'leases with a rent of at most 500 EUR', lease.list((one) => one.rent_eur <= 500)],
  ['unit', 'leases in currency USD', lease.list((one) => one.currency === 'USD')],
  ['unit', 'crates with a load over 499,5 kg', crate.list((one) => one.load_kg > 499.5)],
  ['negative number', 'Stations below -20 in temperature', station.list((one) => one.temperature < -20)],
  [
    'negative number',
    'stations with a temperature of at most −15',
    station.list((one) => one.temperature <= -15),
  ],
  [
    'negative number',
    'stations with temperatures from -5 to 5',
    station.list((one) => one.temperature >= -5 && one.temperature <= 5),
  ],
  ['negative number', 'stations warmer than -3', [station.list((one) => one.temperature > -3)]],
  ['code', 'stations in IT or NO', station.list((one) => ['NO', 'IT'].includes(one.country_code))],
  ['code', 'Stations not in NO', station.list((one) => one.country_code !== 'NO')],
  ['code', 'How many stations are in AS?', station.count((one) => one.country_code === 'AS')],
  ['top', 'Largest town by area', town.top(1, (one) => one.area)],
  ['top', 'The 3 largest towns by population', town.top(3, (one) => one.population)],
  ['top', 'smallest town by population', town.bottom(1, (one) => one.population)],
  [
    'top',
    'heaviest beagle',
    dog.top(
      1,
      (one) => one.weight_kg,
      (one) => one.breed === 'beagle',
    ),
  ],
  ['top', 'the coldest station', [station.bottom(1, (one) => one.temperature)]],
  ['top', 'narrowest 3 crates by width', crate.bottom(3, (one) => one.width)],
  ['mixed field', 'Worst rated restaurant', restaurant.bottom(1, ratingOf)],
  ['mixed field', 'restaurants with a rating over 4', restaurant.list((one) => (ratingOf(one) ?? 0) > 4)],
  [
    'mixed field',
    'restaurants that are not yet rated',
    restaurant.list((one) => one.rating === 'Not yet rated'),
  ],
  [
    'not',
    'leases with pets not allowed for Ana Ruiz',
    lease.list((one) => !one.pets_allowed && one.tenant === 'Ana Ruiz'),
  ],
  ['not', 'unvaccinated dogs', [dog.list((one) => !one.vaccinated)]],
  [
    'not',
    'poodles that have not been vaccinated',
    dog.list((one) => !one.vaccinated && one.breed === 'poodle'),
  ],
  ['date', 'leases signed in December', lease.list((one) => one.signed.startsWith('2025-12'))],
  ['date', 'leases signed before May', [lease.list((one) => one.signed < '2026-05')]],
  ['date', 'events before July 1999', 'before|July|1999'],
  ['unknown', 'leases that end soon', 'end|soon'],
  ['unknown', 'Dogs that bark', 'bark'],
  ['approximate', 'leases with a rent of roughly 800', 'roughly|800'],
];

export const villageHeldOut: Vocabulary = {
  name: 'village',
  rows: [
    ...[...rowsOf('lease', leases), ...rowsOf('dog', dogs), ...rowsOf('crate', crates)],
    ...[...rowsOf('station', stations), ...rowsOf('town', towns)],
    ...[...rowsOf('restaurant', restaurants), ...rowsOf('event', events)],
  ],
  asked,
};
