import type { ArrayPattern, AssignmentPattern, ObjectPattern, Pattern } from 'acorn';
import { iterate } from '../runtime/iterate';
import { isPlainObject } from '../runtime/kinds';
import { readMember } from '../runtime/members';
import type { Run } from '../runtime/run';
import { setOwn } from '../runtime/names';
import { typeError } from '../runtime/thrown';
import type { Context } from './context';
import { compileExpression } from './expression';
import type { Frame } from './frame';
import { compileKey } from './members';
import { compileTarget } from './targets';

/** Stores a value where a pattern says. */
export type Binder = (run: Run, frame: Frame | undefined, value: unknown) => void;

/** The way a name or member at the end of a pattern gets its value: as a declaration, or as an assignment. */
export type BindingMode = 'declare' | 'assign';

/** Compiles what stands on the left of `=`: a name, a member, or a pattern of them. */
export function compilePattern(node: Pattern, mode: BindingMode, context: Context): Binder {
  return context.unit.nested(() => {
    switch (node.type) {
      case 'ObjectPattern':
        return compileObjectPattern(node, mode, context);
      case 'ArrayPattern':
        return compileArrayPattern(node, mode, context);
      case 'AssignmentPattern':
        return compileDefault(node, mode, context);
      case 'RestElement':
        return compilePattern(node.argument, mode, context);
      default:
        return compileTarget(node, mode, context);
    }
  });
}

function compileDefault(node: AssignmentPattern, mode: BindingMode, context: Context): Binder {
  const bind = compilePattern(node.left, mode, context);
  const fallback = compileExpression(node.right, context);
  return (run, frame, value) => bind(run, frame, value === undefined ? fallback(run, frame) : value);
}

function compileArrayPattern(node: ArrayPattern, mode: BindingMode, context: Context): Binder {
  const binders = node.elements.map((element) =>
    element === null
      ? undefined
      : { isRest: element.type === 'RestElement', bind: compilePattern(element, mode, context) },
  );
  return (run, frame, value) => {
    const entries = iterate(run, value);
    binders.forEach((binder, index) => {
      if (binder === undefined) return;
      if (!binder.isRest) return binder.bind(run, frame, entries[index]);
      run.allowEntries(Math.max(0, entries.length - index));
      binder.bind(run, frame, run.made(entries.slice(index)));
    });
  };
}

type FieldBinder = (run: Run, frame: Frame | undefined, value: unknown, taken: Set<string>) => void;

function compileObjectPattern(node: ObjectPattern, mode: BindingMode, context: Context): Binder {
  const fields = node.properties.map((property): FieldBinder => {
    if (property.type === 'RestElement') return compileRest(compilePattern(property.argument, mode, context));
    const key = compileKey(property.key, property.computed, context);
    const bind = compilePattern(property.value, mode, context);
    return (run, frame, value, taken) => {
      const name = key(run, frame);
      taken.add(name);
      bind(run, frame, readMember(run, value, name));
    };
  });
  return (run, frame, value) => {
    if (value === null || value === undefined) throw typeError(`Cannot destructure '${value}' as it is ${value}.`);
    const taken = new Set<string>();
    for (const field of fields) field(run, frame, value, taken);
  };
}

function compileRest(bind: Binder): FieldBinder {
  return (run, frame, value, taken) => {
    const rest: Record<string, unknown> = {};
    const entries = isPlainObject(value) ? Object.entries(value) : [];
    run.allowEntries(entries.length);
    for (const [key, entry] of entries) if (!taken.has(key)) setOwn(rest, key, entry);
    bind(run, frame, run.made(rest));
  };
}
