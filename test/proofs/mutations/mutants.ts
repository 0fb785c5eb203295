// The small changes of a source that its tests must notice, as others' mutation tools make them.

import { parseAst } from 'vitest/node';
import { isObject } from '../../../lib/local/json-values.ts';

export interface Mutant {
  /** Where it stands, in characters of the source. */
  start: number;
  end: number;
  replacement: string;
}

type Node = Readonly<Record<string, unknown>> & { type: string; start: number; end: number };

const isNode = (value: unknown): value is Node =>
  isObject(value) &&
  typeof value.type === 'string' &&
  typeof value.start === 'number' &&
  typeof value.end === 'number';

const OPERATORS: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '&&': '||', '||': '&&', '??': '&&' },
};
/** A minute that is a millisecond longer breaks no promise; a count that is one more may. */
const SMALL = 10;
const NAMES: Readonly<Record<string, string>> = { min: 'max', max: 'min', some: 'every', every: 'some' };

/** What no test should judge: types, what is imported, the words of the log. */
const isLeftAlone = (node: Node, text: string) =>
  node.type.startsWith('TS')
    ? !/^TS(As|Satisfies|NonNull)Expression$/.test(node.type)
    : /^(Import|ExportAll)Declaration$/.test(node.type) ||
      /^log\.(debug|info|warn|error)\(/.test(text.slice(node.start, node.end));

/** Every mutant of a source, in the order of the source. */
export function mutantsOf(text: string): Mutant[] {
  const found: Mutant[] = [];
  const visit = (node: Node) => {
    if (isLeftAlone(node, text)) return;
    found.push(...mutantsAt(node, text));
    for (const [name, child] of Object.entries(node)) {
      // A name of a property is no value of its own.
      if (name === 'key' && node.computed !== true) continue;
      for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) visit(one);
    }
  };
  for (const statement of parseAst(text, { lang: 'ts' }).body) if (isNode(statement)) visit(statement);
  return found.toSorted((a, b) => a.start - b.start);
}

function mutantsAt(node: Node, text: string): Mutant[] {
  const instead = ({ start, end }: Node, ...replacements: string[]) =>
    replacements.map((replacement) => ({ start, end, replacement }));
  const { test, left, right, operator, argument, property, value } = node;
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return isNode(left) && isNode(right) ? otherOperator(left, right, String(operator), text) : [];
    case 'IfStatement':
    case 'ConditionalExpression':
      return isNode(test) ? instead(test, 'true', 'false') : [];
    case 'UnaryExpression':
      return operator === '!' && isNode(argument)
        ? instead(node, text.slice(argument.start, argument.end))
        : [];
    case 'MemberExpression': {
      const other = isNode(property) ? NAMES[text.slice(property.start, property.end)] : undefined;
      return isNode(property) && other ? instead(property, other) : [];
    }
    case 'Literal':
      return instead(node, ...otherValue(value));
    case 'TemplateLiteral':
      return instead(node, '``');
    case 'ArrayExpression':
      return Array.isArray(node.elements) && node.elements.length > 0 ? instead(node, '[]') : [];
    case 'ExpressionStatement':
    case 'ThrowStatement':
      return instead(node, ';');
    default:
      return [];
  }
}

function otherOperator(left: Node, right: Node, operator: string, text: string): Mutant[] {
  const other = OPERATORS[operator];
  const between = text.slice(left.end, right.start);
  const at = left.end + between.indexOf(operator);
  return other ? [{ start: at, end: at + operator.length, replacement: other }] : [];
}

function otherValue(value: unknown): string[] {
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'number') return value < SMALL ? [String(value + 1)] : [];
  return typeof value === 'string' ? [value === '' ? "'other'" : "''"] : [];
}
