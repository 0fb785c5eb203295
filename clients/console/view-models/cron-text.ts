// Cron patterns in words, as far as words are shorter: `0 7 * * 1-5` is `Mon to Fri at 07:00`.
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A pattern in words; one without simple words stays a pattern. */
export function cronText(cron: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...more] = cron.trim().split(/ +/);
  if (more.length > 0 || weekday === '') return cron;
  const [time, date] = [timeOf(minute, hour), dateOf(day, month, weekday)];
  if (time === undefined || date === undefined) return cron;
  if (time.isWithinHours) return date === '' ? time.text : `${date}, ${time.text}`;
  return `${date === '' ? 'every day' : date} ${time.text}`;
}

interface Time {
  text: string;
  /** It names no hour of the day. */
  isWithinHours: boolean;
}

function timeOf(minute: string, hour: string): Time | undefined {
  const hours = numbers(hour);
  if (hours && isNumber(minute)) {
    const times = hours.map((one) => `${String(one).padStart(2, '0')}:${minute.padStart(2, '0')}`);
    return { text: `at ${listed(times)}`, isWithinHours: false };
  }
  const text = withinHours(minute, hour);
  return text === undefined ? undefined : { text, isWithinHours: true };
}

function withinHours(minute: string, hour: string): string | undefined {
  if (hour === '*') {
    if (minute === '*') return 'every minute';
    const step = evenStep(minute, 60);
    if (step !== undefined) return `every ${step} minutes`;
    if (isNumber(minute)) return Number(minute) === 0 ? 'every hour' : `every hour at minute ${minute}`;
    return undefined;
  }
  const step = evenStep(hour, 24);
  if (step === undefined || !isNumber(minute)) return undefined;
  return `every ${step} hours${Number(minute) === 0 ? '' : ` at minute ${minute}`}`;
}

/** An empty text for every day; undefined without simple words: of a day and a weekday, either holds. */
function dateOf(day: string, month: string, weekday: string): string | undefined {
  if (weekday !== '*') return day === '*' && month === '*' ? weekdays(weekday) : undefined;
  if (day === '*') return month === '*' ? '' : undefined;
  if (!isNumber(day)) return undefined;
  if (month === '*') return `on day ${day} of each month`;
  const name = isNumber(month) ? MONTHS[Number(month) - 1] : undefined;
  return name && `on ${day} ${name}`;
}

function weekdays(field: string): string | undefined {
  const [, from, to] = /^(\d)-(\d)$/.exec(field) ?? [];
  if (from !== undefined && to !== undefined) {
    if (Number(to) - Number(from) === 6) return '';
    const [first, last] = [dayName(Number(from)), dayName(Number(to))];
    return first && last && `${first} to ${last}`;
  }
  const names = numbers(field)?.map(dayName);
  return names?.every((name) => name !== undefined) ? listed(names) : undefined;
}

const dayName = (day: number): string | undefined => (day <= 7 ? DAYS[day % 7] : undefined);

const isNumber = (field: string) => /^\d{1,2}$/.test(field);

/** The numbers of a list; undefined for another field. */
function numbers(field: string): number[] | undefined {
  const parts = field.split(',');
  return parts.every(isNumber) ? parts.map(Number) : undefined;
}

/** The step of a field that has one, where it divides the whole: others are not even across its end. */
function evenStep(field: string, whole: number): number | undefined {
  const step = Number(/^\*\/(\d{1,2})$/.exec(field)?.[1]);
  return step > 1 && whole % step === 0 ? step : undefined;
}

/** `a`, `a and b`, `a, b and c`. */
function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
