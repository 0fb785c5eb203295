// CloudWatch's alarms over made series: metric math, missing data, and the state after each period.
import * as z from 'zod';

/** A value per period; a period without data is absent. */
export type Series = ReadonlyMap<number, number>;
type Value = number | Series;

const MetricStat = z.object({
  Metric: z.object({
    Namespace: z.string(),
    MetricName: z.string(),
    Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]),
  }),
});

/** An alarm's properties in a template. */
export const AlarmProperties = z.object({
  AlarmActions: z.array(z.unknown()),
  ComparisonOperator: z.literal('GreaterThanOrEqualToThreshold'),
  EvaluationPeriods: z.literal(1),
  TreatMissingData: z.literal('notBreaching'),
  Threshold: z.number(),
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]),
  Metrics: z
    .array(z.object({ Id: z.string(), Expression: z.string().optional(), MetricStat: MetricStat.optional() }))
    .default([]),
});
export type AlarmProperties = z.infer<typeof AlarmProperties>;

export interface AlarmMetric {
  /** Its name in the expression; of an alarm without one, `metric`. */
  id: string;
  namespace: string;
  name: string;
}

/** The metrics that an alarm reads. */
export function metricsOf({ Namespace, MetricName, Metrics }: AlarmProperties): AlarmMetric[] {
  if (Namespace !== undefined && MetricName !== undefined)
    return [{ id: 'metric', namespace: Namespace, name: MetricName }];
  return Metrics.flatMap(({ Id, MetricStat: stat }) =>
    stat ? [{ id: Id, namespace: stat.Metric.Namespace, name: stat.Metric.MetricName }] : [],
  );
}

/**
 * The alarm's state in periods 0 to `periods - 1`, given the series of its metrics by id. Over metrics of DynamoDB
 * CloudWatch ignores missing data whatever the alarm says (PutMetricAlarm, TreatMissingData), so the state stays.
 */
export function statesOf(
  alarm: AlarmProperties,
  series: Readonly<Record<string, Series>>,
  periods: number,
): ('OK' | 'ALARM')[] {
  const expression = alarm.Metrics.find(({ Expression }) => Expression !== undefined)?.Expression;
  const value = evaluate(expression ?? 'metric', series);
  if (typeof value === 'number') throw new Error('an alarm needs a time series, not a number');
  const keepsState = metricsOf(alarm).some(({ namespace }) => namespace === 'AWS/DynamoDB');
  const states: ('OK' | 'ALARM')[] = [];
  for (let period = 0; period < periods; period += 1) {
    const point = value.get(period);
    if (point === undefined) states.push(keepsState ? (states.at(-1) ?? 'OK') : 'OK');
    else states.push(point >= alarm.Threshold ? 'ALARM' : 'OK');
  }
  return states;
}

/**
 * Metric math, as far as alarms use it: `+`, `-` and `*` have a value only where both sides have one; `SUM` adds what
 * there is. Throws for anything else.
 */
function evaluate(expression: string, series: Readonly<Record<string, Series>>): Value {
  const tokens = expression.match(/[A-Za-z_]\w*|\d+|[-+*(),[\]]/g) ?? [];
  const expect = (token: string) => {
    if (tokens.shift() !== token) throw new Error(`expected ${token} in ${expression}`);
  };
  function sum(): Value {
    let value = product();
    while (tokens[0] === '+' || tokens[0] === '-') {
      const sign = tokens.shift() === '+' ? 1 : -1;
      value = combine(value, product(), (left, right) => left + sign * right);
    }
    return value;
  }
  function product(): Value {
    let value = operand();
    while (tokens[0] === '*') {
      tokens.shift();
      value = combine(value, operand(), (left, right) => left * right);
    }
    return value;
  }
  function operand(): Value {
    const token = tokens.shift() ?? '';
    if (/^\d+$/.test(token)) return Number(token);
    if (token !== 'SUM') return known(token);
    expect('(');
    expect('[');
    const all = [sum()];
    while (tokens[0] === ',') {
      tokens.shift();
      all.push(sum());
    }
    expect(']');
    expect(')');
    return added(all);
  }
  function known(id: string): Series {
    const found = series[id];
    if (!found) throw new Error(`no metric ${id} in ${expression}`);
    return found;
  }
  const value = sum();
  if (tokens.length > 0) throw new Error(`not understood: ${tokens.join(' ')} in ${expression}`);
  return value;
}

function combine(left: Value, right: Value, by: (left: number, right: number) => number): Value {
  if (typeof left === 'number' && typeof right === 'number') return by(left, right);
  const at = (value: Value, period: number) => (typeof value === 'number' ? value : value.get(period));
  const periods = [left, right].flatMap((value) => (typeof value === 'number' ? [] : [...value.keys()]));
  const points = periods.flatMap((period): [number, number][] => {
    const [a, b] = [at(left, period), at(right, period)];
    return a === undefined || b === undefined ? [] : [[period, by(a, b)]];
  });
  return new Map(points);
}

function added(values: readonly Value[]): Series {
  const total = new Map<number, number>();
  for (const value of values) {
    if (typeof value === 'number') throw new Error('SUM takes time series');
    for (const [period, point] of value) total.set(period, (total.get(period) ?? 0) + point);
  }
  return total;
}
