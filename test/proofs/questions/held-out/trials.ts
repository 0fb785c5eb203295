// Clinical trials, invented: sites and participants.
import { random } from '../../random.ts';
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';

const SEED = 20_261_133;
const studies = Array.from({ length: 60 }, (_, i) => {
  const chance = random(SEED, i);
  return {
    name: `TRL-${100 + i}`,
    sponsor: chance.pick(['Meridian', 'Halden', 'Kappa']),
    phase: 1 + chance.below(4),
    enrolled: 10 + chance.below(800),
    dropout_rate: chance.below(60) / 100,
    blinded: chance.chance(0.6),
    started: new Date(Date.UTC(2019, 0, 1 + chance.below(2600))).toISOString().slice(0, 10),
    country: chance.pick(['DE', 'US', 'NO', 'IN', 'IT']),
    arms: 1 + chance.below(4),
    effect: (chance.below(400) - 200) / 100,
  };
});
const participants = Array.from({ length: 150 }, (_, i) => {
  const chance = random(SEED + 1, i);
  return {
    name: `Participant ${i}`,
    study: studies[chance.below(studies.length)]?.name ?? '',
    sex: chance.pick(['female', 'male']),
    age: 18 + chance.below(70),
    bmi: 17 + chance.below(220) / 10,
    weight_change_kg: (chance.below(200) - 120) / 10,
    visits: chance.below(7),
    withdrawn: chance.chance(0.15),
  };
});
type Study = (typeof studies)[number];

const study = truthsOver(studies);
const participant = truthsOver(participants);
const isBy = (sponsor: string) => (one: Study) => one.sponsor === sponsor;

const asked: readonly Asked[] = [
  ['list', 'phase 3 studies', study.list((one) => one.phase === 3)],
  [
    'list',
    'studies in phase 2 or 3 by Halden',
    study.list((one) => [2, 3].includes(one.phase) && isBy('Halden')(one)),
  ],
  ['code', 'studies in NO or IN', study.list((one) => ['NO', 'IN'].includes(one.country))],
  ['code', 'studies not in US', study.list((one) => one.country !== 'US')],
  ['count', 'How many studies have two arms?', study.count((one) => one.arms === 2)],
  ['count', 'studies with one arm', study.list((one) => one.arms === 1)],
  ['count', 'participants with no visits', participant.list((one) => one.visits === 0)],
  ['not', 'studies that are not blinded', study.list((one) => !one.blinded)],
  [
    'not',
    'female participants who have not withdrawn',
    participant.list((one) => one.sex === 'female' && !one.withdrawn),
  ],
  ['unit', 'studies with a dropout rate over 30%', study.list((one) => one.dropout_rate > 0.3)],
  ['unit', 'studies with a dropout rate of at most 5 percent', study.list((one) => one.dropout_rate <= 0.05)],
  ['negative number', 'studies with an effect below -1', study.list((one) => one.effect < -1)],
  [
    'negative number',
    'studies with an effect between -0.5 and 0.5',
    study.list((one) => one.effect >= -0.5 && one.effect <= 0.5),
  ],
  [
    'negative number',
    'participants with a weight change of less than −10 kg',
    participant.list((one) => one.weight_change_kg < -10),
  ],
  [
    'bounds',
    'participants older than 60 but younger than 65',
    participant.list((one) => one.age > 60 && one.age < 65),
  ],
  ['bounds', 'participants with a bmi of at least 30', participant.list((one) => one.bmi >= 30)],
  ['bounds', 'participants aged 20 to 25', participant.list((one) => one.age >= 20 && one.age <= 25)],
  ['date', 'studies started in 2020 and 2021', study.list((one) => /^202[01]/.test(one.started))],
  ['date', 'studies from 2023', study.list((one) => one.started.startsWith('2023'))],
  ['date', 'studies started by 2019-06-30', study.list((one) => one.started <= '2019-06-30')],
  ['date', 'studies started last year', study.list((one) => one.started.startsWith('2025'))],
  ['top', 'The 3 smallest studies by enrolled', study.bottom(3, (one) => one.enrolled)],
  ['top', 'oldest participant', participant.top(1, (one) => one.age)],
  [
    'top',
    'youngest 2 male participants',
    participant.bottom(
      2,
      (one) => one.age,
      (one) => one.sex === 'male',
    ),
  ],
  [
    'group',
    'average enrolled by phase',
    study.groups(
      (one) => String(one.phase),
      (same) =>
        measured(
          'avg',
          same.map((one) => one.enrolled),
        ),
    ),
  ],
  ['group', 'number of participants per sex', participant.groups((one) => one.sex)],
  [
    'having',
    'Sponsors with at least 21 studies',
    study.groups(
      (one) => one.sponsor,
      (same) => same.length,
      (one) => studies.filter(isBy(one.sponsor)).length >= 21,
    ),
  ],
  [
    'measure',
    'average bmi of female participants',
    participant.measure(
      'avg',
      (one) => one.bmi,
      (one) => one.sex === 'female',
    ),
  ],
  [
    'measure',
    'total enrolled in blinded studies',
    study.measure(
      'sum',
      (one) => one.enrolled,
      (one) => one.blinded,
    ),
  ],
  ['relation', 'participants of studies in DE', 'participants|DE|studies'],
  ['relation', 'studies with female participants', 'studies|female|participants'],
  ['measure of the first', 'average effect of the 5 largest studies by enrolled', 'average|5|largest'],
  ['unknown', 'successful studies', 'successful'],
  ['approximate', 'participants about 40 years of age', 'about|40'],
];

export const trials: Vocabulary = {
  name: 'trials',
  rows: [...rowsOf('study', studies), ...rowsOf('participant', participants)],
  asked,
};
