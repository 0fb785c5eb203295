// DynamoDB's numbers: exact decimals of up to 38 digits, from 1E-130 to almost 1E126.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
import { invalid } from './refusals.ts';

/** The value 0.DIGITS × 10^exponent. Zero has no digits; other values neither start nor end with a zero. */
interface Decimal {
  negative: boolean;
  digits: string;
  exponent: number;
}

const DIGITS_MAX = 38;
const EXPONENT_MAX = 126;
const EXPONENT_MIN = -129;
const NUMBER = /^([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d+))?$/;
/** Most numbers are integers already in canonical form. */
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const ZERO: Decimal = { negative: false, digits: '', exponent: 0 };

/** The canonical form of a number. Throws ValidationException for what is not a number or out of range. */
export function canonicalNumber(text: string): string {
  return PLAIN_INTEGER.test(text) ? text : format(parse(text));
}

/** Negative, zero or positive as the first number is smaller, equal or larger. Both must be canonical. */
export function compareNumbers(left: string, right: string): number {
  if (PLAIN_INTEGER.test(left) && PLAIN_INTEGER.test(right)) return Number(left) - Number(right);
  const [a, b] = [sortableNumber(left), sortableNumber(right)];
  return a < b ? -1 : Number(a > b);
}

/** The sum, or with `sign` -1 the difference. Throws ValidationException when it is out of range. */
export function addNumbers(left: string, right: string, sign: 1 | -1): string {
  const [a, b] = [parse(left), parse(right)];
  const scale = Math.min(lowest(a), lowest(b));
  const sum = unscaled(a, scale) + BigInt(sign) * unscaled(b, scale);
  const digits = String(sum < 0n ? -sum : sum);
  return format(checked(normal(sum < 0n, digits, digits.length + scale)));
}

/** A text whose bytes sort as the numbers do. The number must be canonical. */
export function sortableNumber(text: string): string {
  const { negative, digits, exponent } = parse(text);
  if (digits === '') return '5';
  const magnitude = String(exponent - EXPONENT_MIN).padStart(3, '0') + digits;
  // A negative number of larger magnitude sorts earlier; the end mark sorts after every digit.
  return negative ? `4${magnitude.replace(/\d/g, (digit) => String(9 - Number(digit)))}~` : `6${magnitude}`;
}

/** Its size in bytes: one per two digits, plus one, plus one for a minus sign. */
export function sizeOfNumber(text: string): number {
  const { negative, digits, exponent } = parse(text);
  if (digits === '') return 1;
  // Digits pair up from the decimal point, so an odd exponent shifts them by one.
  const pairs = Math.ceil((digits.length + Math.abs(exponent % 2)) / 2);
  return pairs + 1 + Number(negative);
}

function parse(text: string): Decimal {
  const match = NUMBER.exec(text);
  if (!match) throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  const [, sign, whole = '', fraction = '', bare = '', power = '0'] = match;
  const all = whole + fraction + bare;
  return checked(normal(sign === '-', all, whole.length + Number(power)));
}

function normal(negative: boolean, all: string, exponent: number): Decimal {
  const from = all.search(/[1-9]/);
  if (from < 0) return ZERO;
  return { negative, digits: all.slice(from).replace(/0+$/, ''), exponent: exponent - from };
}

function checked(decimal: Decimal): Decimal {
  const { digits, exponent } = decimal;
  if (digits.length > DIGITS_MAX)
    throw invalid('Attempting to store more than 38 significant digits in a Number');
  if (exponent > EXPONENT_MAX)
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range');
  if (digits !== '' && exponent < EXPONENT_MIN)
    throw invalid(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  return decimal;
}

function format({ negative, digits, exponent }: Decimal): string {
  if (digits === '') return '0';
  const sign = negative ? '-' : '';
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`;
  if (digits.length <= exponent) return sign + digits.padEnd(exponent, '0');
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

/** The exponent of its last digit. */
const lowest = ({ digits, exponent }: Decimal) => exponent - digits.length;

/** The number as an integer times 10^scale. */
function unscaled(decimal: Decimal, scale: number): bigint {
  if (decimal.digits === '') return 0n;
  const value = BigInt(decimal.digits + '0'.repeat(lowest(decimal) - scale));
  return decimal.negative ? -value : value;
}
