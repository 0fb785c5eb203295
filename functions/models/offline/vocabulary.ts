// Words with a meaning to the offline model: commands, synonyms of types and of fields.
import { stem } from '#platform/words.ts';

function words(text: string): Set<string> {
  return new Set(text.split(' ').map(stem));
}

/** Words about the asking, not about what is asked for. */
export const COMMANDS = words(
  'list show find give get tell make write create produce build generate prepare draft return output provide present display fetch retrieve ' +
    'look search know need want see keep retain select choose pick include take use help like let go run please thanks compare summarize ' +
    'summarise summary analyze analyse analysis describe explain report overview extract compute calculate count rank sort order filter ' +
    'question answer table text sentence paragraph short brief briefly concise detailed one line two three us me',
);

/** Words that narrow nothing down. */
export const FILLERS = words(
  'item record entry row result thing stuff one data detail information info other others another everything everyone everybody anything ' +
    'anyone something somebody someone whatever based located headquartered situated living live lives working works work worked employed ' +
    'having has contain containing contains mention mentioning mentioned match matching matched fit fitting relate related relating ' +
    'relevant connected concerning regarding involve involved involving describe described describing called named name known belong ' +
    'belonging instruction criteria criterion condition workspace database following given current currently actually really real ' +
    'promising interesting good best strong important suitable likely potential possible appropriate valid existing available different ' +
    'various several many much least whole entire full complete list set group part kind sort type category field attribute value number ' +
    'amount city country location place region industry sector status title description year date area based plan step next first last ' +
    'top highest largest biggest greatest most lowest smallest fewest newest oldest latest earliest recent recently new big large small ' +
    'high low old young were did does user query request asked please',
);

const COMPANIES = 'company firm business organization organisation corporation employer'.split(' ');
const PEOPLE = 'person people individual employee staff contact colleague'.split(' ');
const TYPE_NAMES = new Map([
  ...COMPANIES.map((word) => [word, 'company'] as const),
  ...PEOPLE.map((word) => [word, 'person'] as const),
]);

/** The type a word stands for: `firms` and `company` are one; any other word is its own type. */
export function typeOf(word: string): string {
  return TYPE_NAMES.get(word) ?? word;
}

/** Whether the word names a kind of record in any workspace. */
export function isTypeName(word: string): boolean {
  return TYPE_NAMES.has(word);
}

/** Synonyms of a field, by a word of its name. */
const FIELD_NAMES: string[][] = [
  ['employee', 'headcount', 'staff', 'people', 'person', 'size', 'workforce', 'worker'],
  ['revenue', 'turnover', 'sale', 'income', 'arr', 'worth'],
  ['founded', 'established', 'started', 'founding', 'inception', 'created', 'incorporated'],
  ['city', 'location', 'hq', 'headquarter', 'town', 'based', 'located'],
  ['title', 'role', 'position', 'job'],
  ['company', 'employer', 'organization', 'organisation'],
  ['industry', 'sector', 'branch'],
  ['funding', 'raised', 'investment'],
  ['website', 'url', 'homepage', 'site'],
  ['email', 'mail'],
  ['phone', 'telephone', 'mobile'],
  ['price', 'cost', 'fee'],
  ['country', 'nation'],
];

/** The word and its synonyms in field names. */
export function fieldSynonyms(word: string): string[] {
  return [word, ...FIELD_NAMES.filter((group) => group.includes(word)).flat()];
}
