import type { AssignmentExpression, UpdateExpression } from 'acorn';
import { toNumber } from '../runtime/convert';
import { readMember } from '../runtime/members';
import { BINARY_OPERATORS } from '../runtime/operators';
import type { Run } from '../runtime/run';
import { writeMember } from '../runtime/data/write-member';
import type { Context } from './context';
import { compileExpression } from './expression';
import type { AnyExpression } from './expression';
import type { Code, Frame } from './frame';
import { compileKey } from './members';
import { compilePattern } from './patterns';
import { compileTarget } from './targets';

/** A place that is read and written: where it is is worked out once. */
interface Reference {
  read(): unknown;
  write(value: unknown): void;
}

type ReferenceCode = (run: Run, frame: Frame | undefined) => Reference;

/** Compiles `target = value`, `target += value` and the like. */
export function compileAssignment(node: AssignmentExpression, context: Context): Code {
  const value = compileExpression(node.right, context);
  if (node.operator === '=' && node.left.type !== 'MemberExpression') {
    const bind = compilePattern(node.left, 'assign', context);
    return (run, frame) => {
      const assigned = value(run, frame);
      bind(run, frame, assigned);
      return assigned;
    };
  }
  const reference = compileReference(node.left, context);
  const decides = node.operator === '=' ? () => true : LOGICAL[node.operator];
  if (decides !== undefined) {
    return (run, frame) => {
      const target = reference(run, frame);
      const current = node.operator === '=' ? undefined : target.read();
      if (!decides(current)) return current;
      const assigned = value(run, frame);
      target.write(assigned);
      return assigned;
    };
  }
  return compileCompound(node, reference, value, context);
}

/** Conditions under which the assigning forms of the logical operators assign. */
const LOGICAL: Readonly<Record<string, ((current: unknown) => boolean) | undefined>> = {
  '&&=': (current) => Boolean(current),
  '||=': (current) => !current,
  '??=': (current) => current === null || current === undefined,
};

function compileCompound(node: AssignmentExpression, reference: ReferenceCode, value: Code, context: Context): Code {
  const sign = node.operator.slice(0, -1);
  const operate = Object.hasOwn(BINARY_OPERATORS, sign) ? BINARY_OPERATORS[sign] : undefined;
  if (operate === undefined) throw context.unit.refuse(`The operator ${node.operator} is`, node.start);
  if (node.left.type === 'Identifier') {
    const read = compileExpression(node.left, context);
    const write = compileTarget(node.left, 'assign', context);
    return (run, frame) => {
      const result = operate(run, read(run, frame), value(run, frame));
      write(run, frame, result);
      return result;
    };
  }
  return (run, frame) => {
    const target = reference(run, frame);
    const result = operate(run, target.read(), value(run, frame));
    target.write(result);
    return result;
  };
}

/** Compiles `++target`, `target--` and the like. */
export function compileUpdate(node: UpdateExpression, context: Context): Code {
  const reference = compileReference(node.argument, context);
  const change = node.operator === '++' ? 1 : -1;
  if (node.argument.type === 'Identifier') {
    const read = compileExpression(node.argument, context);
    const write = compileTarget(node.argument, 'assign', context);
    return (run, frame) => {
      const before = toNumber(run, read(run, frame));
      write(run, frame, before + change);
      return node.prefix ? before + change : before;
    };
  }
  return (run, frame) => {
    const target = reference(run, frame);
    const before = toNumber(run, target.read());
    target.write(before + change);
    return node.prefix ? before + change : before;
  };
}

function compileReference(node: AnyExpression, context: Context): ReferenceCode {
  if (node.type === 'MemberExpression') {
    const object = compileExpression(node.object, context);
    const key = compileKey(node.property, node.computed, context);
    return (run, frame) => {
      const holder = object(run, frame);
      const name = key(run, frame);
      return { read: () => readMember(run, holder, name), write: (value) => writeMember(run, holder, name, value) };
    };
  }
  const read = compileExpression(node, context);
  const write = compileTarget(node, 'assign', context);
  return (run, frame) => ({ read: () => read(run, frame), write: (value) => write(run, frame, value) });
}
