// The words of questions: what they do in a query, whatever its types and fields are called.
import type { Measure } from '#contract/conditions.ts';

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Words about the asking: they select nothing and say nothing of records. */
export const FILLERS = set(
  'help a an the this that these those there here and or but also too then so as at by for from in into of on onto to with within among amongst ' +
    'across about around per via us me i we you he she it they them him her my our your his its their theirs ours mine one ones who whom whose ' +
    'which what whats where how is are was were be been being am do does did has have had having can could would should shall will may might must ' +
    'please thanks thank hello hi hey list lists listing show shows display find finds finding get gets getting fetch give gives tell tells say ' +
    'says see look looking lookup search searching retrieve return returns provide present pull select choose pick output print let lets go use ' +
    'want wants need needs like wish know knows any all both each every everything anything whatever everyone everybody anyone someone ' +
    'something some stuff item items record records entry entries row rows result results data details detail information info database ' +
    'workspace table answer question query currently now right ever yet already just only exactly really actually simply quickly exist exists ' +
    'existing different various several overall altogether if whether other when such kind kinds sort ' +
    'following based according regarding concerning im id ill ive youre theyre theres arent',
);

/** Words that ask for everything. */
export const BROAD = set('everything anything all whatever every world');

/** Words of places and belonging, which say nothing more than the preposition after them. */
export const SITUATED = set(
  'lie lies lying live lives lived living base based locate located situated headquartered work works worked working come comes coming belong belongs ' +
    'belonging stay stays reside resides residing sit sits employed stationed kept found stored',
);

/** Verbs of what happens to a record, which name no field but the date after them. */
export const HAPPENED = set(
  'placed made issued opened registered joined signed created added bought purchased sold taken happened happen occurred occur took started begun ' +
    'began dated recorded entered booked scheduled from',
);

/** What leads to a value: after them even a plain word may be one. */
export const LEADS_TO_VALUE = set(
  'in at from is are as for to of into was were be = == not by or and , called named',
);

/** Where a value comes from or goes to, by the preposition before it. */
export const DIRECTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['from', set('from origin source departure start pickup sender departing depart home')],
  ['to', set('to destination target arrival end delivery dropoff receiver recipient ship shipping')],
]);

type Side = 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq';

/** Phrases before an amount or a date. */
const COMPARISONS: readonly (readonly [Side, string])[] = [
  [
    'gte',
    'in or after|on or after|in or later than|at or above|at least|a minimum of|minimum of|minimum|min|no less than|not less than|no fewer than|not fewer than|not below|not under|since|starting from|starting|as of|from|>=|≥|not before|no earlier than|not earlier than',
  ],
  [
    'lte',
    'in or before|on or before|at or below|at most|a maximum of|maximum of|maximum|max|no more than|not more than|not over|not above|not exceeding|up to|until|till|through|<=|≤|not after|no later than|not later than',
  ],
  ['neq', 'not equal to|other than exactly|is not exactly|not exactly|!=|<>|≠'],
  [
    'gt',
    'more than|greater than|higher than|larger than|bigger than|over|above|exceeding|exceeds|exceed|beyond|upwards of|in excess of|better than|later than|after|>',
  ],
  [
    'lt',
    'less than|fewer than|lower than|smaller than|under|below|beneath|worse than|earlier than|before|prior to|<',
  ],
  ['eq', 'exactly|equal to|equals|equal|precisely|=|=='],
];
/** Phrases after an amount. */
const COMPARISONS_AFTER: readonly (readonly [Side, string])[] = [
  [
    'gte',
    '+|or more|and more|or above|and above|and up|or over|and over|or higher|or greater|or later|or better|or longer|or older|or larger|upwards|plus|or after|onwards|onward',
  ],
  [
    'lte',
    'or less|and less|or fewer|or below|and below|or under|and under|or lower|or earlier|or younger|or shorter|or smaller|or cheaper|or before',
  ],
];

/** A phrase in words, with what it means. */
type Phrase<T> = readonly [words: readonly string[], meaning: T];
/** Phrases by their first word, longest first. */
export type Phrases<T> = ReadonlyMap<string, readonly Phrase<T>[]>;

function phrases<T>(rows: readonly (readonly [T, string])[]): Phrases<T> {
  const all = rows
    .flatMap(([meaning, said]) => said.split('|').map((phrase): Phrase<T> => [phrase.split(' '), meaning]))
    .sort(([a], [b]) => b.length - a.length);
  return Map.groupBy(all, ([[first = '']]) => first);
}

export const BEFORE_AMOUNT = phrases<Side>(COMPARISONS);
export const AFTER_AMOUNT = phrases<Side>(COMPARISONS_AFTER);
/** Comparisons that mean a time when nothing else is said. */
export const OF_TIME = set(
  'since before after until till later earlier through onwards onward starting prior as',
);

export const NEGATIONS = phrases<'not' | 'without'>([
  [
    'not',
    'not|never|isnt|arent|wasnt|werent|dont|doesnt|didnt|havent|hasnt|cant|cannot|wont|other than|except for|except|excluding|exclude|apart from|outside|outside of|but not|rather than|instead of|neither|nor|non|aint',
  ],
  [
    'without',
    'without any|without a|without an|without|no|lacking|lacks|lack|missing|with no|have no|has no|having no|do not have|does not have|dont have|doesnt have|did not have|have not|has not|with missing|zero',
  ],
]);

export const MEASURES = phrases<Measure['op']>([
  ['avg', 'average|avg|mean|on average'],
  ['sum', 'total sum of|sum of|sum|total|combined|summed|cumulative|aggregate|how much'],
  ['max', 'maximum|max|highest|largest|biggest|greatest|longest|most'],
  ['min', 'minimum|min|lowest|smallest|shortest|least'],
]);
/** How the name of a measure begins. */
export const MEASURE_NAMES: Readonly<Record<Measure['op'], string>> = {
  count: 'count',
  avg: 'average',
  sum: 'total',
  max: 'highest',
  min: 'lowest',
};

export const COUNTS = phrases<true>([
  [
    true,
    'how many|total number of|the number of|number of|total count of|count of|count|amount of|quantity of|numbers of|how often',
  ],
]);
export const GROUPS = phrases<'by' | 'per'>([
  [
    'per',
    'grouped by|group by|broken down by|split by|breakdown by|for each|for every|in each|in every|of each|of every|at each|at every|per|each|every|across',
  ],
  ['by', 'by'],
]);
export const SORTS = phrases<true>([
  [
    true,
    'sorted by|sort by|sort them by|ordered by|order by|order them by|ranked by|rank by|rank them by|sorted|ordered|ranked|in order of',
  ],
]);
export const DIRECTIONS_OF_ORDER = phrases<'asc' | 'desc'>([
  [
    'asc',
    'in ascending order|ascending order|ascending|asc|increasing|low to high|lowest first|smallest first|lowest to highest',
  ],
  [
    'desc',
    'in descending order|descending order|descending|desc|decreasing|high to low|highest first|largest first|biggest first|highest to lowest',
  ],
]);
export const BY_NAME = phrases<true>([
  [true, 'alphabetically|in alphabetical order|alphabetical order|alphabetical'],
]);

/** What adjectives measure: base, comparative and superlative; 1 where more of it is more of the dimension. */
const ADJECTIVES: readonly (readonly [dimension: string, sign: 1 | -1, words: string])[] = [
  ['price', -1, 'cheap cheaper cheapest|inexpensive - -|affordable - -'],
  [
    'price',
    1,
    'expensive - -|dear dearer dearest|pricey pricier priciest|costly costlier costliest|valuable - -',
  ],
  ['age', 1, 'old older oldest|early earlier earliest'],
  ['age', -1, 'young younger youngest|new newer newest|recent - -|late later latest'],
  ['length', 1, 'long longer longest|lengthy - -'],
  ['length', -1, 'short shorter shortest|brief - -'],
  ['distance', 1, 'far farther farthest|distant further furthest'],
  ['distance', -1, 'near nearer nearest|close closer closest'],
  ['weight', 1, 'heavy heavier heaviest'],
  ['weight', -1, 'light lighter lightest'],
  ['speed', 1, 'fast faster fastest|quick quicker quickest'],
  ['speed', -1, 'slow slower slowest'],
  ['height', 1, 'tall taller tallest'],
  ['height', -1, '- - lowest'],
  ['rating', 1, 'good better best|popular - -|- - top'],
  ['rating', -1, 'bad worse worst'],
  ['temperature', 1, 'hot hotter hottest|warm warmer warmest'],
  ['temperature', -1, 'cold colder coldest|cool cooler coolest'],
  ['wealth', 1, 'rich richer richest|wealthy wealthier wealthiest'],
  ['wealth', -1, 'poor poorer poorest'],
  ['depth', 1, 'deep deeper deepest'],
  ['width', 1, 'wide wider widest|broad broader broadest'],
  ['size', 1, 'large larger largest|big bigger biggest|great greater greatest|huge - -'],
  ['size', -1, 'small smaller smallest|tiny tinier tiniest|little - -'],
  ['amount', 1, 'high higher highest|many more most|much more most|- - maximum|- - max|- - greatest'],
  ['amount', -1, 'low lower lowest|few fewer fewest|little less least|- - minimum|- - min'],
];

export interface Degree {
  dimension: string;
  sign: 1 | -1;
}

/** The adjectives in one degree, by word. */
function degree(at: 0 | 1 | 2): ReadonlyMap<string, Degree> {
  return new Map(
    ADJECTIVES.toReversed().flatMap(([dimension, sign, rows]) =>
      rows.split('|').flatMap((row): [string, Degree][] => {
        const word = row.split(' ')[at];
        return word === undefined || word === '-' ? [] : [[word, { dimension, sign }]];
      }),
    ),
  );
}
export const BASES = degree(0);
export const COMPARATIVES = degree(1);
export const SUPERLATIVES = degree(2);

/** The words of fields that hold a dimension, best first; a field is found by the first word that one has. */
export const DIMENSION_FIELDS: Readonly<Record<string, readonly string[]>> = {
  price: ['price', 'cost', 'fare', 'fee', 'rent', 'total', 'amount', 'value', 'rate', 'charge'],
  age: ['age', 'year'],
  length: ['length', 'duration', 'distance', 'runtime', 'time', 'minute', 'hour', 'page', 'mileage', 'day'],
  distance: ['distance', 'mileage', 'range', 'km', 'mile'],
  weight: ['weight', 'mass', 'load', 'tonnage', 'kg'],
  speed: ['speed', 'velocity', 'pace', 'kmh', 'mph'],
  height: ['height', 'elevation', 'altitude', 'stature'],
  rating: ['rating', 'score', 'star', 'grade', 'mark', 'popularity', 'point'],
  temperature: ['temperature', 'temp', 'degree'],
  wealth: ['wealth', 'worth', 'income', 'revenue', 'balance'],
  depth: ['depth'],
  width: ['width'],
  size: ['size', 'area', 'capacity', 'volume', 'm2', 'sqm', 'surface'],
  amount: [],
};

/** Words of money in the names of fields, most telling first. */
export const MONEY_FIELDS: readonly string[] = [
  ...[
    'price',
    'total',
    'amount',
    'cost',
    'revenue',
    'fare',
    'fee',
    'rent',
    'salary',
    'budget',
    'value',
    'spend',
  ],
  ...[
    'charge',
    'income',
    'turnover',
    'sale',
    'payment',
    'balance',
    'funding',
    'wage',
    'profit',
    'tax',
    'deposit',
    'premium',
  ],
];

/** Words that mean the same in the name of a field. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['employee', 'headcount', 'staff', 'people', 'workforce', 'worker'],
  ['revenue', 'turnover', 'sale', 'income', 'arr'],
  ['total', 'revenue', 'turnover', 'sale', 'spend', 'spent', 'spending', 'worth', 'value', 'sum', 'amount'],
  ['founded', 'established', 'founding', 'inception', 'incorporated', 'set'],
  ['city', 'location', 'hq', 'headquarter', 'town'],
  ['title', 'role', 'position', 'job'],
  ['company', 'employer', 'organization', 'organisation', 'firm'],
  ['industry', 'sector', 'branch'],
  ['funding', 'raised', 'investment'],
  ['website', 'url', 'homepage', 'site'],
  ['email', 'mail'],
  ['phone', 'telephone', 'mobile', 'cell'],
  ['price', 'cost', 'costing', 'priced', 'worth'],
  ['fee', 'cost', 'charge', 'price'],
  ['cost', 'price', 'costing'],
  ['rent', 'price', 'cost'],
  ['country', 'nation'],
  ['value', 'worth'],
  ['birth', 'born', 'birthday', 'dob', 'birthdate'],
  ['dob', 'born', 'birth'],
  ['birthday', 'born', 'birth', 'dob'],
  ['weight', 'weigh', 'weighing', 'mass', 'heavy'],
  ['rating', 'score', 'star', 'rated', 'scored'],
  ['score', 'rating', 'rated'],
  ['star', 'rating'],
  ['stock', 'inventory', 'availability'],
  ['quantity', 'unit', 'count', 'number'],
  ['duration', 'length', 'lasting', 'last', 'long', 'took'],
  ['built', 'constructed', 'construction', 'build'],
  ['age', 'aged', 'old'],
  ['salary', 'wage', 'pay', 'earn', 'earning', 'earns'],
  ['gender', 'sex'],
  ['category', 'kind', 'type', 'genre', 'class'],
  ['genre', 'category', 'kind', 'type', 'style'],
  ['type', 'kind', 'category'],
  ['area', 'size', 'surface'],
  ['vehicle', 'car'],
  ['doctor', 'physician'],
  ['brand', 'maker', 'manufacturer', 'make'],
  ['manufacturer', 'maker', 'brand', 'make', 'producer'],
  ['author', 'writer', 'written'],
  ['mileage', 'odometer', 'kilometer', 'driven'],
  ['capacity', 'seat', 'hold', 'holding', 'fit'],
  ['seat', 'capacity'],
  ['payment', 'paid', 'pay'],
  ['spend', 'spent', 'spending'],
  ['page', 'length'],
  ['return', 'returned'],
  ['newsletter', 'subscribed', 'subscriber'],
];
const byWord = new Map<string, Set<string>>();
for (const [name = '', ...said] of SYNONYMS)
  for (const word of said) byWord.set(word, (byWord.get(word) ?? new Set()).add(name));

/** The words by which fields may call what is said. */
export const synonymsOf = (word: string): ReadonlySet<string> => byWord.get(word) ?? new Set();

/** Words that a name of a field may have in addition: units, forms of to be, kinds of values. */
export const MODIFIERS: ReadonlySet<string> = set(
  'is has was are at on in the of kg g lb ton t km m cm mm mi mile eur usd gbp chf euro dollar musd meur million min minute hour h sec second ms day ' +
    'percent pct sqm m2 ml l kwh kw hp date year time id name ts flag number count',
);

/** Units of amounts: what they measure and how many of the smallest they are. */
const UNITS: readonly (readonly [measures: string, factor: number, words: string])[] = [
  ['money', 1, 'eur euro € usd dollar $ gbp pound £ chf franc yen jpy ¥ bucks buck cent'],
  ['mass', 1, 'g gram gramme'],
  ['mass', 1000, 'kg kilo kilogram kgs'],
  ['mass', 1_000_000, 'tonne ton t'],
  ['mass', 453.592, 'lb lbs'],
  ['length', 0.001, 'mm millimeter millimetre'],
  ['length', 0.01, 'cm centimeter centimetre'],
  ['length', 1, 'm meter metre'],
  ['length', 1000, 'km kilometer kilometre kms'],
  ['length', 1609.344, 'mile mi'],
  ['length', 0.3048, 'ft foot'],
  ['length', 0.0254, 'inch'],
  ['temperature', 1, 'celsius c degree'],
  ['time', 0.001, 'ms millisecond'],
  ['time', 1, 's sec second secs'],
  ['time', 60, 'min minute mins'],
  ['time', 3600, 'h hour hr hrs'],
  ['time', 86_400, 'day'],
  ['time', 604_800, 'week'],
  ['time', 2_629_746, 'month'],
  ['time', 31_556_952, 'year yr yrs'],
  ['area', 1, 'sqm m2 m²'],
  ['share', 1, 'percent % pct'],
  ['volume', 1, 'l liter litre'],
  ['volume', 0.001, 'ml'],
  ['rating', 1, 'star'],
  ['power', 1, 'hp kw ps'],
  ['pieces', 1, 'piece unit pc pcs'],
];

export interface Unit {
  measures: string;
  factor: number;
  word: string;
}
const units = new Map(
  UNITS.flatMap(([measures, factor, words]) =>
    words.split(' ').map((word): [string, Unit] => [word, { measures, factor, word }]),
  ),
);
/** The unit that a folded word names in the singular. */
export const unitNamed = (word: string): Unit | undefined => units.get(word);

/** Currencies by all their names. */
export const CURRENCIES: readonly ReadonlySet<string>[] = [
  set('eur euro € meur'),
  set('usd dollar $ musd buck'),
  set('gbp pound £'),
  set('chf franc'),
  set('jpy yen ¥'),
];

/** The dimensions that fields of a unit's measure have. */
export const UNIT_DIMENSIONS: Readonly<Record<string, readonly string[]>> = {
  mass: ['weight'],
  length: ['distance', 'length', 'height'],
  time: ['length', 'age'],
  area: ['size'],
  rating: ['rating'],
};

export const SCALES = new Map(
  Object.entries({
    k: 1e3,
    thousand: 1e3,
    m: 1e6,
    mn: 1e6,
    mio: 1e6,
    million: 1e6,
    b: 1e9,
    bn: 1e9,
    billion: 1e9,
    trillion: 1e12,
    dozen: 12,
    hundred: 100,
  }),
);

/** Numbers in words; `one` is rarely a number. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  'two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, i) => [word, i + 2]),
);

/** Work on what was found, which the step `analyze` does. */
export const ANALYSES = phrases<true>([
  [
    true,
    'summarize|summarise|summary of|a summary of|summary|compare|comparison|analyze|analyse|analysis|explain|describe|evaluate|assess|overview|report|insights|insight|trends|patterns|tell me about|tell us about|what do we know about|what is known about|what do you know about|differences|difference|findings',
  ],
]);
export const RELATIONS = phrases<true>([
  [
    true,
    'related to|related|connected to|connected|linked to|linked|similar to|similar|relationships|relationship|connections|connection|associated with|network|who knows',
  ],
]);
/** Verbs that write something: part of the asking when what they write is a list, a table or an analysis. */
export const WRITING = set('write create make prepare generate produce draft build compile compose');
export const SHORT = set('short brief quick concise detailed one-line line sentence paragraph text');
