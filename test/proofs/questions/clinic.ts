// A clinic: patients, doctors and visits.
import type { DataSet, Question, Row } from '#domain/evaluation/truth.ts';
import { random } from '../random.ts';
import { at, has, number, text, truthsOf } from './truth.ts';

const SPECIALTIES = ['Cardiology', 'Dermatology', 'General Practice', 'Pediatrics'];
const DIAGNOSES = ['flu', 'hypertension', 'eczema', 'fracture', 'migraine'];
const INSURERS = ['AOK', 'Helsana', 'Uniqa'];
const CITIES = ['Zurich', 'Basel', 'Bern', 'St. Gallen'];
const LANGUAGES = ['German', 'French', 'Italian', 'English'];
const ALLERGIES = ['penicillin', 'latex', 'pollen'];

const dayOf = (from: number, days: number) =>
  new Date(Date.UTC(from, 0, 1 + days)).toISOString().slice(0, 10);

function rowsOf(seed: number): Row[] {
  const patients = Array.from({ length: 1200 }, (_, i): Row => {
    const chance = random(seed, i);
    return {
      type: 'patient',
      name: `Patient ${i}`,
      fields: {
        birth_date: dayOf(1930, chance.below(30_000)),
        gender: chance.pick(['female', 'male']),
        city: chance.pick(CITIES),
        insurance: { provider: chance.pick(INSURERS), plan: chance.pick(['basic', 'premium']) },
        allergies: ALLERGIES.filter(() => chance.chance(0.25)),
        smoker: chance.chance(0.3),
        height_cm: 150 + chance.below(50),
        weight_kg: 45 + chance.below(700) / 10 + i / 100_000,
        ...(chance.chance(0.7) && { phone: `+41 ${i}` }),
      },
    };
  });
  const doctors = Array.from({ length: 60 }, (_, i): Row => {
    const chance = random(seed + 1, i);
    return {
      type: 'doctor',
      name: `Dr. Nr ${i}`,
      fields: {
        specialty: chance.pick(SPECIALTIES),
        years_of_experience: 1 + i * 0.5,
        languages: LANGUAGES.filter((_, k) => k === 0 || chance.chance(0.4)),
        consultation_fee_chf: 80 + i * 3,
        accepts_new_patients: chance.chance(0.6),
        hired: dayOf(2000, chance.below(8000)),
      },
    };
  });
  const visits = Array.from({ length: 2000 }, (_, i): Row => {
    const chance = random(seed + 2, i);
    const doctor = doctors[chance.below(60)];
    return {
      type: 'visit',
      name: `Visit ${i}`,
      fields: {
        doctor: doctor?.name ?? '',
        patient: `Patient ${chance.below(1200)}`,
        department: doctor ? text(doctor, 'specialty') : '',
        diagnosis: chance.pick(DIAGNOSES),
        visit_date: dayOf(2024, chance.below(890)),
        duration_min: 10 + chance.below(80),
        cost_chf: 50 + chance.below(40_000) / 100 + i / 100_000,
        follow_up_needed: chance.chance(0.4),
        severity: 1 + chance.below(5),
      },
    };
  });
  return [...patients, ...doctors, ...visits];
}

function questionsOn(rows: Row[]): Question[] {
  const patient = truthsOf(rows, 'patient');
  const doctor = truthsOf(rows, 'doctor');
  const visit = truthsOf(rows, 'visit');
  const date = (row: Row) => text(row, 'visit_date');
  const isIn = (name: string) => (row: Row) => text(row, 'city') === name;
  return [
    ['How many patients are from Basel?', patient.count(isIn('Basel'))],
    ['Show me all smokers', patient.list((row) => at(row, 'smoker') === true)],
    [
      'patients who are not smokers in Bern',
      patient.list((row) => at(row, 'smoker') === false && isIn('Bern')(row)),
    ],
    ['female patients allergic to penicillin', null],
    [
      'female patients with an allergy to penicillin',
      patient.list((row) => text(row, 'gender') === 'female' && has(row, 'allergies', 'penicillin')),
    ],
    [
      'patients with allergies latex or pollen',
      patient.list((row) => has(row, 'allergies', 'latex') || has(row, 'allergies', 'pollen')),
    ],
    ['patients older than 80', patient.list((row) => text(row, 'birth_date') < '1946-06-15')],
    ['patients born before 1940', patient.list((row) => text(row, 'birth_date') < '1940')],
    [
      'patients born in the fifties',
      patient.list((row) => text(row, 'birth_date') >= '1950' && text(row, 'birth_date') < '1960'),
    ],
    ['the oldest patient', patient.top(1, 'birth_date', 'asc')],
    ['5 youngest patients', patient.top(5, 'birth_date')],
    ['Which patients weigh more than 110 kg?', patient.list((row) => number(row, 'weight_kg') > 110)],
    ['patients taller than 190 cm', patient.list((row) => number(row, 'height_cm') > 190)],
    ['patients taller than 1.9 m', patient.list((row) => number(row, 'height_cm') > 190)],
    ['patients without a phone', patient.list((row) => at(row, 'phone') === undefined)],
    ['patients insured by Helsana', patient.list((row) => text(row, 'insurance.provider') === 'Helsana')],
    [
      'patients with insurance provider Helsana and the premium plan',
      patient.list(
        (row) => text(row, 'insurance.provider') === 'Helsana' && text(row, 'insurance.plan') === 'premium',
      ),
    ],
    ['How many patients per insurance provider?', patient.groups('insurance.provider')],
    ['average weight by gender', patient.groups('gender', 'avg', 'weight_kg')],
    [
      'Which city has the fewest patients?',
      patient.groups('city', 'count', '', () => true, { limit: 1, direction: 'asc' }),
    ],
    ['patients outside Zurich', patient.list((row) => !isIn('Zurich')(row))],
    ['patients in St. Gallen', patient.list(isIn('St. Gallen'))],
    [
      'male patients in Bern or Basel with the basic plan',
      patient.list(
        (row) =>
          text(row, 'gender') === 'male' &&
          (isIn('Bern')(row) || isIn('Basel')(row)) &&
          text(row, 'insurance.plan') === 'basic',
      ),
    ],
    ['How many doctors work in Cardiology?', doctor.count((row) => text(row, 'specialty') === 'Cardiology')],
    ['doctors who speak French', null],
    [
      'doctors with languages French and Italian',
      doctor.list((row) => has(row, 'languages', 'French') && has(row, 'languages', 'Italian')),
    ],
    [
      'doctors with more than 20 years of experience',
      doctor.list((row) => number(row, 'years_of_experience') > 20),
    ],
    ['doctors accepting new patients', doctor.list((row) => at(row, 'accepts_new_patients') === true)],
    [
      'Which doctors do not accept new patients?',
      doctor.list((row) => at(row, 'accepts_new_patients') === false),
    ],
    ['Which doctor has the highest consultation fee?', doctor.top(1, 'consultation_fee_chf')],
    [
      'cheapest 3 dermatology doctors',
      doctor.top(3, 'consultation_fee_chf', 'asc', (row) => text(row, 'specialty') === 'Dermatology'),
    ],
    ['doctors hired after 2015', doctor.list((row) => text(row, 'hired') >= '2016')],
    ['most experienced doctor', null],
    ['average fee of doctors by specialty', doctor.groups('specialty', 'avg', 'consultation_fee_chf')],
    [
      'What is the average consultation fee in Pediatrics?',
      doctor.measure('avg', 'consultation_fee_chf', (row) => text(row, 'specialty') === 'Pediatrics'),
    ],
    ['How many visits were there in 2025?', visit.count((row) => date(row).startsWith('2025'))],
    ['visits last month', visit.list((row) => date(row).startsWith('2026-05'))],
    [
      'visits this year with diagnosis flu',
      visit.list((row) => date(row).startsWith('2026') && text(row, 'diagnosis') === 'flu'),
    ],
    [
      'visits in the last 30 days',
      visit.list((row) => date(row) >= '2026-05-16' && date(row) <= '2026-06-15'),
    ],
    ['visits longer than an hour', null],
    ['visits longer than 1 hour', visit.list((row) => number(row, 'duration_min') > 60)],
    ['visits of at most 15 minutes', visit.list((row) => number(row, 'duration_min') <= 15)],
    ['visits that need a follow up', visit.list((row) => at(row, 'follow_up_needed') === true)],
    [
      'migraine visits with severity 5',
      visit.list((row) => text(row, 'diagnosis') === 'migraine' && number(row, 'severity') === 5),
    ],
    ['visits with a severity between 2 and 3', visit.list((row) => [2, 3].includes(number(row, 'severity')))],
    ['total cost of visits per department', visit.groups('department', 'sum', 'cost_chf')],
    [
      'Which department had the highest total cost in 2024?',
      visit.groups('department', 'sum', 'cost_chf', (row) => date(row).startsWith('2024'), { limit: 1 }),
    ],
    ['average duration per diagnosis', visit.groups('diagnosis', 'avg', 'duration_min')],
    ['most common diagnosis', visit.groups('diagnosis', 'count', '', () => true, { limit: 1 })],
    ['the three most expensive visits', visit.top(3, 'cost_chf')],
    ['visits costing more than 400 CHF', visit.list((row) => number(row, 'cost_chf') > 400)],
    ['How much did visits cost in total?', visit.measure('sum', 'cost_chf')],
    [
      'number of visits by department and diagnosis',
      {
        kind: 'groups',
        inOrder: false,
        groups: [
          ...Map.groupBy(
            rows.filter(({ type }) => type === 'visit'),
            (row) => `${text(row, 'department')} / ${text(row, 'diagnosis')}`,
          ),
        ].map(([name, same]) => [name, same.length]),
      },
    ],
    [
      'eczema or flu visits without follow up',
      visit.list(
        (row) => ['eczema', 'flu'].includes(text(row, 'diagnosis')) && at(row, 'follow_up_needed') === false,
      ),
    ],
    ['visits of Patient 12', visit.list((row) => text(row, 'patient') === 'Patient 12')],
    [
      'minimum and maximum cost of fracture visits',
      visit.measure('max', 'cost_chf', (row) => text(row, 'diagnosis') === 'fracture'),
    ],
    ['Which patients are pregnant?', null],
    ['patients with blood type A', null],
    ['visits that were canceled', null],
    ['Which doctors are on vacation next week?', null],
    ['What is the phone number of the nearest pharmacy?', null],
    ['patients whose condition improved', null],
    ['visits per month', visit.groups((row) => date(row).slice(0, 'YYYY-MM'.length))],
    [
      'average cost of visits by year',
      visit.groups((row) => date(row).slice(0, 'YYYY'.length), 'avg', 'cost_chf'),
    ],
    ['visits by day of the week', null],
    ['Prescribe something against migraine', null],
    ['doctors rated above 4', null],
  ];
}

export function clinic(seed: number): DataSet {
  const rows = rowsOf(seed);
  return { name: 'clinic', rows, questions: questionsOn(rows) };
}
