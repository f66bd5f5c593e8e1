import { readFileSync } from 'node:fs';
import { type Expression, parseSync, Visitor } from 'oxc-parser';

/** One change of one source file: the text from `start` to `end`, in UTF-16 units, becomes `replacement`. */
export interface Mutation {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /**
   * Runs whenever the change is met, if not `start`: the left side of an operator, for V8 counts the operator to the
   * right one.
   */
  readonly met?: number;
}

/** What each operator becomes. A bound moves by one, a comparison turns around, arithmetic does the opposite. */
const operators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '??=': ['='],
  '++': ['--'],
  '--': ['++'],
};

/** Methods and functions that have an opposite. */
const opposites: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  round: 'floor',
  some: 'every',
  every: 'some',
  find: 'findLast',
  findLast: 'find',
  push: 'unshift',
  unshift: 'push',
};

/** Methods whose result may be left as it was before the call. */
const droppable: ReadonlySet<string> = new Set([
  'filter',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'slice',
  'trim',
]);

/** Every mutation of a source file, in the order of its text. Types, imports and texts are never changed. */
export function mutationsOf(file: string): Mutation[] {
  const text = readFileSync(file, 'utf8');
  const found: Mutation[] = [];
  const types: number[] = [];
  const change = (start: number, end: number, replacement: string, met = start) =>
    found.push({ file, start, end, replacement, met });
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);

  /** An operator between two expressions; comments between them don't count. */
  const between = (left: Expression | { end: number }, right: { start: number }, operator: string) => {
    const at = text.indexOf(operator, left.end);
    if (at < 0 || at >= right.start) return;
    for (const other of operators[operator] ?? []) change(at, at + operator.length, other, left.end - 1);
  };
  const condition = (test: Expression | null) => {
    if (test === null || test.type === 'Literal') return;
    change(test.start, test.end, 'true');
    change(test.start, test.end, 'false');
  };

  new Visitor({
    BinaryExpression: ({ left, right, operator }) => {
      if (!isText(left) && !isText(right)) between(left, right, operator);
    },
    LogicalExpression: ({ left, right, operator }) => between(left, right, operator),
    AssignmentExpression: ({ left, right, operator }) => between(left as Expression, right, operator),
    UpdateExpression: ({ start, end, operator, prefix }) => {
      const at = prefix ? start : end - operator.length;
      change(at, at + operator.length, operators[operator]![0]!);
    },
    UnaryExpression: ({ start, operator, argument }) => {
      if (operator === '!' || operator === '-') change(start, argument.start, ' ');
    },
    IfStatement: ({ test }) => condition(test),
    ConditionalExpression: ({ test }) => condition(test),
    TSLiteralType: ({ literal }) => types.push(literal.start),
    Literal: ({ start, end, value, raw }) => {
      if (types.includes(start)) return;
      if (typeof value === 'boolean') change(start, end, String(!value));
      else if (typeof value === 'number') change(start, end, String(value + 1));
      else if (typeof value === 'bigint' && raw !== null) change(start, end, `${value + 1n}n`);
    },
    CallExpression: ({ callee, end }) => {
      if (callee.type !== 'MemberExpression' || callee.computed) return;
      const { name, start: at, end: nameEnd } = callee.property as { name: string; start: number; end: number };
      if (opposites[name] !== undefined) change(at, nameEnd, opposites[name]);
      if (droppable.has(name) && !callee.optional) change(callee.object.end, end, '');
    },
    ExpressionStatement: ({ start, end, expression }) => {
      const isCall = expression.type === 'CallExpression' && expression.callee.type !== 'Super';
      const isAwaited = expression.type === 'AwaitExpression';
      if (isCall || isAwaited || expression.type === 'AssignmentExpression') change(start, end, ';');
    },
    ContinueStatement: ({ start, end }) => change(start, end, ';'),
    ReturnStatement: ({ start, end, argument }) => {
      if (argument === null) change(start, end, ';');
    },
  }).visit(program);
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Whether the mutated file can be parsed. */
export function isSound(mutation: Mutation): boolean {
  return parseSync(mutation.file, mutated(mutation)).errors.length === 0;
}

/** The mutation that changes nothing, at the same place. */
export function unchanged({ file, start, end }: Mutation): Mutation {
  return { file, start, end, replacement: readFileSync(file, 'utf8').slice(start, end) };
}

/** The file's text with the mutation. */
export function mutated({ file, start, end, replacement }: Mutation): string {
  const text = readFileSync(file, 'utf8');
  return text.slice(0, start) + replacement + text.slice(end);
}

/** A mutation for people: its place, and the line before and after. */
export function described(mutation: Mutation): string {
  const { file, start, end } = mutation;
  const text = readFileSync(file, 'utf8');
  const line = text.slice(0, start).split('\n').length;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end);
  const before = text.slice(from, to < 0 ? undefined : to);
  const after = before.slice(0, start - from) + mutation.replacement + before.slice(end - from);
  return `${file}:${line}\n  - ${before.trim()}\n  + ${after.trim()}`;
}

function isText(node: { type: string; value?: unknown }): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
