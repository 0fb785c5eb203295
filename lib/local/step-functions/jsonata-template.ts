// Values with {% JSONata %} expressions, compiled once and evaluated many times.
import jsonata from 'jsonata';
import { isObject, type Json, messageOf } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';

/** Variables of an expression, without the dollar sign: `states`. */
export type Bindings = Record<string, unknown>;

/**
 * Evaluates to plain JSON. Throws StateFailure `States.QueryEvaluationError` when an expression fails or yields
 * nothing.
 */
export type Template = (bindings: Bindings) => Promise<Json>;

/** A state's failure, for Retry and Catch. */
export class StateFailure extends Error {
  override readonly name = 'StateFailure';
  readonly error: string;
  override readonly cause: string;
  constructor(error: string, cause: string) {
    super(`${error}: ${cause}`);
    this.error = error;
    this.cause = cause;
  }
}

/** Compiles a value. Throws SetupError naming `where` for an expression that does not parse. */
export function compileTemplate(value: Json | undefined, where: string): Template {
  if (typeof value === 'string') return compileText(value, where);
  if (Array.isArray(value)) {
    const items = value.map((item) => compileTemplate(item, where));
    return (bindings) => Promise.all(items.map((item) => item(bindings)));
  }
  if (isObject(value)) {
    const fields = Object.entries(value).map(([key, item]) => ({
      key,
      item: compileTemplate(item, `${where}.${key}`),
    }));
    return async (bindings) =>
      Object.fromEntries(
        await Promise.all(fields.map(async ({ key, item }) => [key, await item(bindings)] as const)),
      );
  }
  return async () => value ?? null;
}

function compileText(text: string, where: string): Template {
  const source = /^\{%([\s\S]*)%\}$/.exec(text)?.[1];
  if (source === undefined) return async () => text;
  const expression = parse(source, where);
  return async (bindings) => {
    const value = await evaluate(expression, bindings, text);
    if (value === undefined)
      throw new StateFailure('States.QueryEvaluationError', `The expression ${text} returned nothing.`);
    return value;
  };
}

function parse(source: string, where: string): jsonata.Expression {
  try {
    return jsonata(source);
  } catch (error) {
    throw new SetupError(`${where}: ${messageOf(error)}`);
  }
}

async function evaluate(
  expression: jsonata.Expression,
  bindings: Bindings,
  text: string,
): Promise<Json | undefined> {
  try {
    return await expression.evaluate(undefined, bindings);
  } catch (error) {
    throw new StateFailure(
      'States.QueryEvaluationError',
      `The expression ${text} failed: ${messageOf(error)}`,
    );
  }
}
