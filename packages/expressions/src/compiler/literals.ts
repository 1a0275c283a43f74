import type { ArrayExpression, ObjectExpression, Property, SpreadElement, TemplateLiteral } from 'acorn';
import { isDeniedGlobal } from '../runtime/names';
import { ExpressionError } from '../errors';
import { toKey, toText } from '../runtime/convert';
import { iterate } from '../runtime/iterate';
import { isArray, isPlainObject } from '../runtime/kinds';
import { checkedKey } from '../runtime/members';
import type { Run } from '../runtime/run';
import { setOwn } from '../runtime/names';
import type { Context } from './context';
import { compileExpression } from './expression';
import type { Code, Frame } from './frame';
import { staticKey } from './members';

/** Compiles a list; places that are left empty are undefined. */
export function compileArray(node: ArrayExpression, context: Context): Code {
  const parts = node.elements.map((element) => {
    if (element === null) return { spread: false, code: (): undefined => undefined };
    if (element.type === 'SpreadElement') return { spread: true, code: compileExpression(element.argument, context) };
    return { spread: false, code: compileExpression(element, context) };
  });
  return (run, frame) => run.made(collect(run, frame, parts));
}

/** Values of a list of expressions, with those that are spread in their place. */
export function collect(
  run: Run,
  frame: Frame | undefined,
  parts: readonly { spread: boolean; code: Code }[],
): unknown[] {
  const values: unknown[] = [];
  for (const { spread, code } of parts) {
    if (!spread) {
      values.push(code(run, frame));
      continue;
    }
    const entries = iterate(run, code(run, frame));
    run.grow(values.length + entries.length);
    run.work(entries.length);
    for (const entry of entries) values.push(entry);
  }
  return values;
}

type FieldCode = (run: Run, frame: Frame | undefined, target: Record<string, unknown>) => void;

/** Compiles an object with fields, methods and spread objects. */
export function compileObject(node: ObjectExpression, context: Context): Code {
  const fields = node.properties.map((property) =>
    property.type === 'SpreadElement' ? compileSpreadField(property, context) : compileField(property, context),
  );
  return (run, frame) => {
    const target: Record<string, unknown> = {};
    for (const field of fields) field(run, frame, target);
    return run.made(target);
  };
}

function compileField(node: Property, context: Context): FieldCode {
  if (node.kind !== 'init') throw context.unit.refuse('Getters and setters are', node.start);
  const value = compileExpression(node.value, context);
  const key = staticKey(node.key, node.computed, context);
  if (key !== undefined) {
    return (run, frame, target) => {
      target[key] = value(run, frame);
    };
  }
  const computed = compileExpression(node.key, context);
  return (run, frame, target) => {
    const name = checkedKey(toKey(run, computed(run, frame)));
    setOwn(target, name, value(run, frame));
  };
}

function compileSpreadField(node: SpreadElement, context: Context): FieldCode {
  const { argument } = node;
  if (
    argument.type === 'Identifier' &&
    context.scope?.find(argument.name) === undefined &&
    isDeniedGlobal(argument.name)
  ) {
    throw new ExpressionError(`Cannot spread "${argument.name}" due to security concerns`, {
      type: 'security',
      position: context.unit.position(node.start),
    });
  }
  const code = compileExpression(argument, context);
  return (run, frame, target) => copyFields(run, code(run, frame), target);
}

/** Copies the own fields of a value, as spreading it into an object does. */
export function copyFields(run: Run, source: unknown, target: Record<string, unknown>): void {
  const from = typeof source === 'string' ? [...source] : source;
  if (!isArray(from) && !isPlainObject(from)) return;
  const entries = Object.entries(from);
  run.allowEntries(entries.length);
  for (const [key, value] of entries) setOwn(target, key, value);
}

/** Compiles a template text with `${ }` in it. */
export function compileTemplate(node: TemplateLiteral, context: Context): Code {
  const texts = node.quasis.map((quasi) => quasi.value.cooked ?? '');
  const values = node.expressions.map((expression) => compileExpression(expression, context));
  const first = texts[0] ?? '';
  if (values.length === 0) return () => first;
  return (run, frame) => {
    let result = first;
    values.forEach((value, index) => {
      const piece = toText(run, value(run, frame)) + (texts[index + 1] ?? '');
      run.allowText(result.length + piece.length, piece.length);
      result += piece;
    });
    return result;
  };
}
