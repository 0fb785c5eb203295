// Odds and ends, invented: fields of every shape, each type small enough to count by hand.
import { random } from '../../random.ts';

const SEED = 20_261_129;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => ({ i, chance: random(SEED, i) }));

export const leases = numbers(30).map(({ i, chance }) => ({
  name: `Lease L${i}`,
  tenant: chance.pick(['Ana Ruiz', 'Bo Lind', 'Cy Young']),
  rooms: 1 + chance.below(4),
  rent_eur: 400 + chance.below(900),
  currency: chance.pick(['EUR', 'USD']),
  pets_allowed: chance.chance(0.5),
  signed: new Date(Date.UTC(2025, 0, 1 + chance.below(500))).toISOString().slice(0, 10),
}));

export const dogs = numbers(40).map(({ chance, i }) => ({
  name: `${['Rex', 'Bella', 'Fido', 'Luna'][i % 4]} ${i}`,
  breed: chance.pick(['beagle', 'poodle', 'husky']),
  age_months: 6 + chance.below(120),
  tricks: chance.below(6),
  weight_kg: 4 + chance.below(400) / 10,
  vaccinated: chance.chance(0.7),
}));

export const crates = numbers(50).map(({ i, chance }) => ({
  name: `Crate C${i}`,
  width: 100 + chance.below(400),
  height: 100 + chance.below(400),
  fill_ratio: chance.below(101) / 100,
  load_kg: chance.below(5000) / 10,
}));

export const stations = numbers(40).map(({ i, chance }) => ({
  name: `Station ${['K', 'M', 'Q'][i % 3]}${i}`,
  temperature: chance.below(60) - 30,
  altitude_m: chance.below(3000),
  country_code: chance.pick(['NO', 'IT', 'IS', 'US', 'AS', 'DE']),
}));

export const towns = numbers(35).map(({ i, chance }) => ({
  name: `Town ${i}`,
  area: 3 + chance.below(120) + i / 50,
  population: 500 + chance.below(9000) + i,
  cities_nearby: chance.below(4),
}));

/** Ratings are numbers, or a text. */
export const restaurants = numbers(36).map(({ i, chance }) => ({
  name: `${['Lotus', 'Roma', 'Spice'][i % 3]} ${i}`,
  district: chance.pick(['North', 'South']),
  rating: chance.chance(0.25) ? 'Not yet rated' : 3 + i / 20,
}));

export const events = numbers(12).map(({ i, chance }) => ({
  name: `Event ${i}`,
  held_on: `${chance.pick(['Jun', 'Jul', 'Aug'])} ${1 + chance.below(28)} ${1998 + (i % 3)}`,
}));
