import type {
  BinaryExpression,
  ConditionalExpression,
  LogicalExpression,
  SequenceExpression,
  UnaryExpression,
} from 'acorn';
import { toNumber } from '../runtime/convert';
import { BINARY_OPERATORS, typeOf } from '../runtime/operators';
import { isSame } from '../runtime/texts';
import { deleteMember } from '../runtime/data/write-member';
import type { Context } from './context';
import { compileExpression } from './expression';
import type { AnyExpression } from './expression';
import type { Code } from './frame';
import { compileKey, SHORT_CIRCUIT } from './members';

/** Compiles `left <operator> right`. */
export function compileBinary(node: BinaryExpression, context: Context): Code {
  const operate = Object.hasOwn(BINARY_OPERATORS, node.operator) ? BINARY_OPERATORS[node.operator] : undefined;
  if (operate === undefined) throw context.unit.refuse(`The operator ${node.operator} is`, node.start);
  const left = compileExpression(node.left, context);
  const right = compileExpression(node.right, context);
  if (node.operator === '===') return (run, frame) => isSame(run, left(run, frame), right(run, frame));
  if (node.operator === '!==') return (run, frame) => !isSame(run, left(run, frame), right(run, frame));
  return (run, frame) => operate(run, left(run, frame), right(run, frame));
}

/** Compiles `&&`, `||` and `??`. */
export function compileLogical(node: LogicalExpression, context: Context): Code {
  const left = compileExpression(node.left, context);
  const right = compileExpression(node.right, context);
  switch (node.operator) {
    case '&&':
      return (run, frame) => left(run, frame) && right(run, frame);
    case '||':
      return (run, frame) => left(run, frame) || right(run, frame);
    default:
      return (run, frame) => left(run, frame) ?? right(run, frame);
  }
}

/** Compiles `test ? consequent : alternate`. */
export function compileConditional(node: ConditionalExpression, context: Context): Code {
  const test = compileExpression(node.test, context);
  const consequent = compileExpression(node.consequent, context);
  const alternate = compileExpression(node.alternate, context);
  return (run, frame) => (test(run, frame) ? consequent(run, frame) : alternate(run, frame));
}

/** Compiles `first, second, last`. */
export function compileSequence(node: SequenceExpression, context: Context): Code {
  const codes = node.expressions.map((expression) => compileExpression(expression, context));
  return (run, frame) => {
    let value: unknown;
    for (const code of codes) value = code(run, frame);
    return value;
  };
}

/** Compiles the operators with one operand. */
export function compileUnary(node: UnaryExpression, context: Context): Code {
  if (node.operator === 'delete') return compileDelete(node.argument, context);
  const operand = compileExpression(node.argument, context);
  switch (node.operator) {
    case '!':
      return (run, frame) => !operand(run, frame);
    case '-':
      return (run, frame) => -toNumber(run, operand(run, frame));
    case '+':
      return (run, frame) => toNumber(run, operand(run, frame));
    case '~':
      return (run, frame) => ~toNumber(run, operand(run, frame));
    case 'typeof':
      return (run, frame) => typeOf(operand(run, frame));
    default:
      return (run, frame) => void operand(run, frame);
  }
}

function compileDelete(node: AnyExpression, context: Context): Code {
  const target = node.type === 'ChainExpression' ? node.expression : node;
  if (target.type !== 'MemberExpression') throw context.unit.refuse('delete of anything but a field is', node.start);
  const object = compileExpression(target.object, context);
  const key = compileKey(target.property, target.computed, context);
  return (run, frame) => {
    const holder = object(run, frame);
    if (holder === SHORT_CIRCUIT || (target.optional && (holder === null || holder === undefined))) return true;
    return deleteMember(run, holder, key(run, frame));
  };
}
