// An agency for homes: listings, agents and viewings, with names of fields in camel case.
import type { DataSet, Question, Row } from '#domain/evaluation/truth.ts';
import { random } from '../random.ts';
import { at, has, number, text, truthsOf } from './truth.ts';

const DISTRICTS = ['Old Town', 'Harbour', 'West End', 'Northgate'];
const KINDS = ['apartment', 'house', 'studio', 'loft'];
const AGENTS = Array.from({ length: 25 }, (_, i) => `Agent ${i}`);
const FEATURES = ['balcony', 'elevator', 'fireplace', 'sea view'];

const isoDay = (from: number, days: number) =>
  new Date(Date.UTC(from, 0, 1 + days)).toISOString().slice(0, 10);

function rowsOf(seed: number): Row[] {
  const listings = Array.from({ length: 800 }, (_, i): Row => {
    const chance = random(seed, i);
    return {
      type: 'listing',
      name: `Listing ${i}`,
      fields: {
        propertyType: chance.pick(KINDS),
        location: { district: chance.pick(DISTRICTS), floor: chance.below(12) },
        askingPrice: 90_000 + chance.below(9000) * 100 + i / 1000,
        livingAreaSqm: 20 + chance.below(200) + i / 10_000,
        bedrooms: chance.below(6),
        yearBuilt: 1880 + chance.below(145),
        energyClass: chance.pick(['A', 'B', 'C', 'D']),
        hasGarden: chance.chance(0.4),
        petsAllowed: chance.chance(0.5),
        features: FEATURES.filter(() => chance.chance(0.3)),
        listedOn: isoDay(2024, chance.below(890)),
        status: chance.pick(['for sale', 'reserved', 'sold']),
        agent: chance.pick(AGENTS),
      },
    };
  });
  const agents = AGENTS.map((name, i): Row => {
    const chance = random(seed + 1, i);
    return {
      type: 'agent',
      name,
      fields: {
        office: chance.pick(['Central', 'Riverside']),
        commissionPercent: 1 + i / 10,
        languages: ['English', 'Spanish', 'Polish'].filter(() => chance.chance(0.6)),
        certified: chance.chance(0.7),
        startedIn: 2000 + chance.below(24),
        ...(chance.chance(0.6) && { mobilePhone: `+44 ${i}` }),
      },
    };
  });
  const viewings = Array.from({ length: 1500 }, (_, i): Row => {
    const chance = random(seed + 2, i);
    return {
      type: 'viewing',
      name: `Viewing ${i}`,
      fields: {
        listing: `Listing ${chance.below(800)}`,
        agent: chance.pick(AGENTS),
        heldOn: isoDay(2025, chance.below(520)),
        visitors: 1 + chance.below(12),
        interest: chance.pick(['low', 'medium', 'high']),
        offerMade: chance.chance(0.2),
      },
    };
  });
  return [...listings, ...agents, ...viewings];
}

function questionsOn(rows: Row[]): Question[] {
  const listing = truthsOf(rows, 'listing');
  const agent = truthsOf(rows, 'agent');
  const viewing = truthsOf(rows, 'viewing');
  const kind = (name: string) => (row: Row) => text(row, 'propertyType') === name;
  const district = (name: string) => (row: Row) => text(row, 'location.district') === name;
  return [
    [
      'How many apartments are for sale in the Old Town?',
      listing.count(
        (row) => kind('apartment')(row) && text(row, 'status') === 'for sale' && district('Old Town')(row),
      ),
    ],
    [
      'Show me houses with a garden under 300,000',
      listing.list(
        (row) => kind('house')(row) && at(row, 'hasGarden') === true && number(row, 'askingPrice') < 300_000,
      ),
    ],
    [
      'studios where pets are allowed',
      listing.list((row) => kind('studio')(row) && at(row, 'petsAllowed') === true),
    ],
    ['lofts without a garden', listing.list((row) => kind('loft')(row) && at(row, 'hasGarden') === false)],
    [
      'listings with a balcony and a fireplace',
      listing.list((row) => has(row, 'features', 'balcony') && has(row, 'features', 'fireplace')),
    ],
    [
      'apartments with sea view',
      listing.list((row) => kind('apartment')(row) && has(row, 'features', 'sea view')),
    ],
    ['listings with at least 4 bedrooms', listing.list((row) => number(row, 'bedrooms') >= 4)],
    [
      '3 bedroom houses in Northgate',
      listing.list(
        (row) => kind('house')(row) && number(row, 'bedrooms') === 3 && district('Northgate')(row),
      ),
    ],
    ['homes built before 1900', listing.list((row) => number(row, 'yearBuilt') < 1900)],
    [
      'listings built between 1950 and 1969',
      listing.list((row) => number(row, 'yearBuilt') >= 1950 && number(row, 'yearBuilt') <= 1969),
    ],
    ['listings larger than 200 sqm', listing.list((row) => number(row, 'livingAreaSqm') > 200)],
    ['the cheapest listing in Harbour', listing.top(1, 'askingPrice', 'asc', district('Harbour'))],
    ['10 most expensive houses', listing.top(10, 'askingPrice', 'desc', kind('house'))],
    ['Which listing has the biggest living area?', listing.top(1, 'livingAreaSqm')],
    ['listings newer than 2025', listing.list((row) => text(row, 'listedOn') >= '2026')],
    [
      'listings listed in the last 30 days',
      listing.list((row) => text(row, 'listedOn') >= '2026-05-16' && text(row, 'listedOn') <= '2026-06-15'),
    ],
    ['listings listed since January 2026', listing.list((row) => text(row, 'listedOn') >= '2026')],
    [
      'energy class A or B apartments',
      listing.list((row) => kind('apartment')(row) && ['A', 'B'].includes(text(row, 'energyClass'))),
    ],
    ['average asking price by district', listing.groups('location.district', 'avg', 'askingPrice')],
    [
      'What is the average price of lofts in West End?',
      listing.measure('avg', 'askingPrice', (row) => kind('loft')(row) && district('West End')(row)),
    ],
    ['number of listings per property type', listing.groups('propertyType')],
    [
      'Which district has the most listings?',
      listing.groups('location.district', 'count', '', () => true, { limit: 1 }),
    ],
    ['Which agent has the most listings?', listing.groups('agent', 'count', '', () => true, { limit: 1 })],
    [
      'sold or reserved studios',
      listing.list((row) => kind('studio')(row) && ['sold', 'reserved'].includes(text(row, 'status'))),
    ],
    ['listings that are not sold', listing.list((row) => text(row, 'status') !== 'sold')],
    ['listings on floor 10 or higher', listing.list((row) => number(row, 'location.floor') >= 10)],
    ['listings of Agent 3', listing.list((row) => text(row, 'agent') === 'Agent 3')],
    ['certified agents who speak Spanish', null],
    [
      'certified agents in the Riverside office',
      agent.list((row) => at(row, 'certified') === true && text(row, 'office') === 'Riverside'),
    ],
    ['agents with a commission over 2 percent', agent.list((row) => number(row, 'commissionPercent') > 2)],
    ['agents with no mobile phone', agent.list((row) => at(row, 'mobilePhone') === undefined)],
    ['agents who started after 2015', agent.list((row) => number(row, 'startedIn') > 2015)],
    ['viewings with high interest', viewing.list((row) => text(row, 'interest') === 'high')],
    [
      'viewings with more than 8 visitors in March 2026',
      viewing.list((row) => number(row, 'visitors') > 8 && text(row, 'heldOn').startsWith('2026-03')),
    ],
    ['How many viewings led to an offer?', null],
    ['viewings where an offer was made', viewing.list((row) => at(row, 'offerMade') === true)],
    ['total visitors per agent', viewing.groups('agent', 'sum', 'visitors')],
    ['top 3 agents by number of viewings', viewing.groups('agent', 'count', '', () => true, { limit: 3 })],
    ['Which listings have asbestos?', null],
    ['listings near a school', null],
    ['mortgage rates this week', null],
    ['Who owns the house at 5 Main Street?', null],
    ['agents with complaints', null],
  ];
}

export function estate(seed: number): DataSet {
  const rows = rowsOf(seed);
  return { name: 'estate', rows, questions: questionsOn(rows) };
}
