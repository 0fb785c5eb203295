// A museum, invented: artworks with makers in several scripts, and loans.
import { random } from '../../random.ts';
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';

const SEED = 20_261_132;
const MAKERS = ['Ana Prado', '齐白石', '葛飾北斎', 'रवि वर्मा', 'محمود سعيد', 'ถวัลย์ ดัชนี', 'Jan Steen'];
const artworks = Array.from({ length: 100 }, (_, i) => {
  const chance = random(SEED, i);
  return {
    name: `${['Harbour', 'Still Life', 'Self-Portrait', 'The Two Sisters'][i % 4]} ${i}`,
    maker: MAKERS[i % MAKERS.length] ?? '',
    medium: chance.pick(['oil', 'ink', 'bronze', 'woodcut']),
    made: 1650 + chance.below(350),
    /** Before the common era it is negative. */
    era: chance.below(4000) - 2000,
    width_mm: 100 + chance.below(2000),
    insured_eur: 1000 + chance.below(900_000),
    on_display: chance.chance(0.5),
    gallery: 1 + chance.below(9),
    acquired: new Date(Date.UTC(1990, 0, 1 + chance.below(13_000))).toISOString().slice(0, 10),
    condition: chance.pick(['good', 'fair', 'poor', 'not assessed']),
  };
});
type Artwork = (typeof artworks)[number];

const artwork = truthsOver(artworks);
const isBy = (maker: string) => (one: Artwork) => one.maker === maker;
const isOf = (medium: string) => (one: Artwork) => one.medium === medium;

const asked: readonly Asked[] = [
  ['script', 'artworks by 齐白石', artwork.list(isBy('齐白石'))],
  ['script', 'How many artworks are by 葛飾北斎?', artwork.count(isBy('葛飾北斎'))],
  ['script', 'artworks whose maker is रवि वर्मा', artwork.list(isBy('रवि वर्मा'))],
  [
    'script',
    'bronze artworks by محمود سعيد',
    artwork.list((one) => isBy('محمود سعيد')(one) && isOf('bronze')(one)),
  ],
  [
    'script',
    'artworks by ถวัลย์ ดัชนี on display',
    artwork.list((one) => isBy('ถวัลย์ ดัชนี')(one) && one.on_display),
  ],
  ['list', 'ink artworks in gallery 3', artwork.list((one) => isOf('ink')(one) && one.gallery === 3)],
  [
    'or',
    'oil or woodcut artworks by Jan Steen',
    artwork.list((one) => isBy('Jan Steen')(one) && (isOf('oil')(one) || isOf('woodcut')(one))),
  ],
  ['not', 'artworks that are not on display', artwork.list((one) => !one.on_display)],
  ['not', 'artworks not assessed', artwork.list((one) => one.condition === 'not assessed')],
  [
    'not',
    'artworks whose condition is neither good nor fair',
    artwork.list((one) => !['good', 'fair'].includes(one.condition)),
  ],
  ['not', 'bronze works outside gallery 1', artwork.list((one) => isOf('bronze')(one) && one.gallery !== 1)],
  ['negative number', 'artworks with an era before -1500', artwork.list((one) => one.era < -1500)],
  [
    'negative number',
    'artworks with an era between -500 and -100',
    artwork.list((one) => one.era >= -500 && one.era <= -100),
  ],
  ['date', 'artworks made in the 1850s', artwork.list((one) => one.made >= 1850 && one.made < 1860)],
  ['date', 'Artworks from 1700 to 1720', artwork.list((one) => one.made >= 1700 && one.made <= 1720)],
  ['date', 'artworks acquired in 1999 and 2001', artwork.list((one) => /^(1999|2001)/.test(one.acquired))],
  ['date', 'artworks acquired in or before 1992', artwork.list((one) => one.acquired < '1993')],
  ['date', 'artworks acquired in the last ten years', artwork.list((one) => one.acquired >= '2016-06-15')],
  ['unit', 'artworks wider than 2 m', artwork.list((one) => one.width_mm > 2000)],
  [
    'unit',
    'artworks insured for more than half a million EUR',
    [artwork.list((one) => one.insured_eur > 500_000)],
  ],
  ['unit', 'artworks insured for over €0.8 million', artwork.list((one) => one.insured_eur > 800_000)],
  [
    'bounds',
    'artworks with a width over 500 mm but under 600 mm',
    artwork.list((one) => one.width_mm > 500 && one.width_mm < 600),
  ],
  ['top', 'The 3 narrowest artworks by width', artwork.bottom(3, (one) => one.width_mm)],
  ['top', 'oldest artwork by made', artwork.bottom(1, (one) => one.made)],
  ['top', 'most recent acquisition', artwork.top(1, (one) => one.acquired)],
  ['group', 'number of artworks per gallery', artwork.groups((one) => String(one.gallery))],
  [
    'group',
    'highest insured value by medium',
    artwork.groups(
      (one) => one.medium,
      (same) =>
        measured(
          'max',
          same.map((one) => one.insured_eur),
        ),
    ),
  ],
  [
    'having',
    'makers with 15 or more artworks',
    artwork.groups(
      (one) => one.maker,
      (same) => same.length,
      (one) => artworks.filter(isBy(one.maker)).length >= 15,
    ),
  ],
  [
    'measure',
    'total insured of artworks on display',
    artwork.measure(
      'sum',
      (one) => one.insured_eur,
      (one) => one.on_display,
    ),
  ],
  ['values', 'Which media are there?', [artwork.values((one) => one.medium)]],
  ['name', 'Tell me about The Two Sisters 3', artwork.list((one) => one.name === 'The Two Sisters 3')],
  ['unknown', 'stolen artworks', 'stolen'],
  ['rank', 'the second oldest artwork', 'second'],
  ['best of each', 'most valuable artwork of each maker', 'most|valuable|each'],
];

export const museum: Vocabulary = { name: 'museum', rows: rowsOf('artwork', artworks), asked };
