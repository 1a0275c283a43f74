import type { Identifier, MemberExpression } from 'acorn';
import { globalValue } from '../globals/globals';
import { rootOf } from '../roots/roots';
import { isReservedVariable } from '../runtime/names';
import type { Run } from '../runtime/run';
import { typeError } from '../runtime/thrown';
import { writeMember } from '../runtime/data/write-member';
import type { Context, Place } from './context';
import { compileExpression } from './expression';
import type { AnyExpression } from './expression';
import { frameAt, UNINITIALISED } from './frame';
import type { Frame } from './frame';
import { uninitialised } from './identifiers';
import { compileKey } from './members';
import type { Binder, BindingMode } from './patterns';

/** Compiles a name or member that gets a value. */
export function compileTarget(node: AnyExpression, mode: BindingMode, context: Context): Binder {
  if (node.type === 'Identifier') return compileNameTarget(node, mode, context);
  if (node.type === 'MemberExpression') return compileMemberTarget(node, context);
  throw context.unit.refuse('This assignment is', node.start);
}

function compileMemberTarget(node: MemberExpression, context: Context): Binder {
  const object = compileExpression(node.object, context);
  const key = compileKey(node.property, node.computed, context);
  return (run, frame, value) => writeMember(run, object(run, frame), key(run, frame), value);
}

function compileNameTarget(node: Identifier, mode: BindingMode, context: Context): Binder {
  const { name } = node;
  if (isReservedVariable(name)) throw context.unit.forbid(name, node.start);
  const place = context.scope?.find(name);
  if (place !== undefined) return writeVariable(name, place, mode);
  if (rootOf(name) !== undefined || globalValue(name) !== undefined) {
    return () => {
      throw typeError(`Assignment to '${name}', which cannot be changed`);
    };
  }
  return (run: Run, _frame, value) => {
    run.step(1);
    run.implicit.set(name, value);
  };
}

function writeVariable(name: string, { hops, index, kind }: Place, mode: BindingMode): Binder {
  if (mode === 'declare' || kind === 'var') return (_run, frame, value) => setSlot(frameAt(frame, hops), index, value);
  return (_run, frame, value) => {
    const owner = frameAt(frame, hops);
    if (owner?.slots[index] === UNINITIALISED) throw uninitialised(name);
    if (kind === 'const') throw typeError('Assignment to constant variable.');
    setSlot(owner, index, value);
  };
}

function setSlot(frame: Frame | undefined, index: number, value: unknown): void {
  if (frame !== undefined) frame.slots[index] = value;
}
