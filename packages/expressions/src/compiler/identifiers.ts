import type { Identifier } from 'acorn';
import { globalValue } from '../globals/globals';
import { processFields } from '../globals/process';
import { templateFunctions } from '../globals/template-functions';
import { isDeniedGlobal } from '../runtime/names';
import { rootOf } from '../roots/roots';
import { isForbiddenName, isReservedVariable } from '../runtime/names';
import type { Run } from '../runtime/run';
import { ErrorValue, Thrown } from '../runtime/thrown';
import { ExpressionError } from '../errors';
import type { Context, Place } from './context';
import { frameAt, UNINITIALISED } from './frame';
import type { Code } from './frame';

/** Compiles a read of a name: a variable, or a root such as `$json` or `Math`; undefined for any other name. */
export function compileIdentifier(node: Identifier, context: Context): Code {
  const place = context.scope?.find(node.name);
  if (place !== undefined) return readVariable(node.name, place);
  context.unit.freeNames?.add(node.name);
  if (isForbiddenName(node.name) || isReservedVariable(node.name)) throw context.unit.forbid(node.name, node.start);
  if (node.name === '$') {
    throw new ExpressionError("'$' needs the name of a node", {
      type: 'syntax',
      position: context.unit.position(node.start),
      description: "Write $('Name of the node') to read a node's output.",
    });
  }
  return readGlobal(node.name);
}

/** Compiles the reading of a name that is not a variable of the expression. */
export function readGlobal(name: string): Code {
  if (name === 'undefined') return () => undefined;
  if (name === '$fn') return (run) => (run.isStrict ? templateFunctions : extraRoot(run, name));
  const root = rootOf(name);
  if (root !== undefined) return root;
  const value = globalValue(name);
  if (value !== undefined) return () => value;
  if (name === 'process') return (run) => (run.isStrict ? extraRoot(run, name) : run.made(processFields()));
  if (isDeniedGlobal(name)) return (run) => (run.isStrict ? extraRoot(run, name) : run.made({}));
  return (run) => (run.implicit.has(name) ? run.implicit.get(name) : extraRoot(run, name));
}

/** True for a name that only the scope's own names can give a value, in a strict template. */
export function isExtraName(name: string): boolean {
  if (isForbiddenName(name) || isReservedVariable(name)) return false;
  const isKnown = ['undefined', '$', '$fn'].includes(name) || rootOf(name) !== undefined;
  return !isKnown && globalValue(name) === undefined;
}

function extraRoot(run: Run, name: string): unknown {
  const { extra } = run.scope;
  if (extra !== undefined && Object.hasOwn(extra, name)) return run.take(extra[name]);
  if (run.isStrict) throw new Thrown(new ErrorValue('ReferenceError', `${name} is not defined`));
  return undefined;
}

function readVariable(name: string, { hops, index, kind }: Place): Code {
  if (kind === 'var') {
    if (hops === 0) return (_run, frame) => frame?.slots[index];
    if (hops === 1) return (_run, frame) => frame?.parent?.slots[index];
    return (_run, frame) => frameAt(frame, hops)?.slots[index];
  }
  return (_run, frame) => {
    const value = frameAt(frame, hops)?.slots[index];
    if (value === UNINITIALISED) throw uninitialised(name);
    return value;
  };
}

/** The exception for a variable that is used before its declaration. */
export function uninitialised(name: string): Thrown {
  return new Thrown(new ErrorValue('ReferenceError', `Cannot access '${name}' before initialization`));
}

/**
 * Compiles `this`: what a function was called on. Outside of functions there is nothing but names that hold nothing.
 */
export function compileThis(context: Context): Code {
  const place = context.scope?.find('this');
  if (place === undefined) return nothing;
  const { hops, index } = place;
  return (run, frame) => frameAt(frame, hops)?.slots[index] ?? nothing(run);
}

function nothing(run: Run): unknown {
  return run.made({ process: {}, require: {}, module: {}, Buffer: {} });
}
