// Kinds of questions that once were answered wrongly without a word, asked of odds and ends.
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

const isInNorth = ({ district }: (typeof restaurants)[number]) => district === 'North';
/** All in order, those without a number last or left out; or the one that is best. */
const bestInNorth = [
  restaurant.top(100, (one) => ratingOf(one) ?? 0, isInNorth),
  restaurant.top(100, ratingOf, isInNorth),
  restaurant.top(1, ratingOf, isInNorth),
];

const asked: readonly Asked[] = [
  ['count', 'leases with one room', lease.list((one) => one.rooms === 1)],
  ['count', 'dogs with exactly two tricks', dog.list((one) => one.tricks === 2)],
  ['count', 'How many dogs know 3 tricks?', dog.count((one) => one.tricks === 3)],
  ['count', 'leases with 3 rooms or more', lease.list((one) => one.rooms >= 3)],
  [
    'bounds',
    'crates with a width and height over 300',
    crate.list((one) => one.width > 300 && one.height > 300),
  ],
  [
    'bounds',
    'crates with a width over 300 and a height under 200',
    crate.list((one) => one.width > 300 && one.height < 200),
  ],
  ['bounds', 'towns with an area over 30 but under 60', town.list((one) => one.area > 30 && one.area < 60)],
  [
    'bounds',
    'crates with a width from 200 to 250',
    crate.list((one) => one.width >= 200 && one.width <= 250),
  ],
  ['unit', 'dogs older than 2 years', dog.list((one) => one.age_months > 24)],
  ['unit', 'crates that are over 90% full', crate.list((one) => one.fill_ratio > 0.9)],
  ['unit', 'crates with a fill ratio of at least 90%', crate.list((one) => one.fill_ratio >= 0.9)],
  ['unit', 'dogs with a weight over 20,5 kg', dog.list((one) => one.weight_kg > 20.5)],
  ['unit', 'leases with a rent over 900 USD', 'USD|900'],
  ['unit', 'crates with a load of at least 0.3 t', crate.list((one) => one.load_kg >= 300)],
  ['negative number', 'Stations with a temperature of -9', station.list((one) => one.temperature === -9)],
  [
    'negative number',
    'stations with a temperature between -20 and -10',
    station.list((one) => one.temperature >= -20 && one.temperature <= -10),
  ],
  ['negative number', 'stations colder than -10', [station.list((one) => one.temperature < -10)]],
  ['negative number', 'stations with temperature < -25', station.list((one) => one.temperature < -25)],
  ['code', 'Stations with code NO or IT', station.list((one) => ['NO', 'IT'].includes(one.country_code))],
  [
    'code',
    'stations with country code US, AS or IS',
    station.list((one) => ['US', 'AS', 'IS'].includes(one.country_code)),
  ],
  ['code', 'stations with a country code other than DE', station.list((one) => one.country_code !== 'DE')],
  ['top', 'Smallest town by area', town.bottom(1, (one) => one.area)],
  ['top', 'The 2 smallest towns by area', town.bottom(2, (one) => one.area)],
  ['top', 'Largest town by population', town.top(1, (one) => one.population)],
  ['top', 'Towns from smallest to largest area', town.bottom(1000, (one) => one.area)],
  ['top', 'The 5 lightest dogs by weight', dog.bottom(5, (one) => one.weight_kg)],
  ['rank', 'The largest and the smallest town by area', 'largest|smallest|and'],
  ['mixed field', 'Best rated restaurants in North', bestInNorth],
  ['mixed field', 'Top 2 restaurants by rating', restaurant.top(2, ratingOf)],
  ['not', 'leases where pets are not allowed', lease.list((one) => !one.pets_allowed)],
  ['not', 'dogs that are not vaccinated', dog.list((one) => !one.vaccinated)],
  ['date', 'leases signed in March', lease.list((one) => one.signed.startsWith('2026-03'))],
  ['date', 'Events held in 1998', 'in|held|1998'],
  ['unknown', 'Same tenant as Lease L3', 'Same'],
  ['approximate', 'towns with ~980 people', '~|~980|980|people'],
  ['unit', 'towns with a population over 0.002 million', town.list((one) => one.population > 2000)],
];

export const villageAsked: Vocabulary = {
  name: 'village',
  rows: [
    ...[...rowsOf('lease', leases), ...rowsOf('dog', dogs), ...rowsOf('crate', crates)],
    ...[...rowsOf('station', stations), ...rowsOf('town', towns)],
    ...[...rowsOf('restaurant', restaurants), ...rowsOf('event', events)],
  ],
  asked,
};
