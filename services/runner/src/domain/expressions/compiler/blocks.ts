import type { ModuleDeclaration, Statement } from 'acorn';
import { StaticScope } from './context';
import type { Context } from './context';
import { declareBlock } from './declarations';
import { Frame, UNINITIALISED } from './frame';
import { compileBody } from './statements';
import type { Execute } from './statements';

/** Compiles `{ … }` with the variables that belong to it. */
export function compileBlock(body: readonly (Statement | ModuleDeclaration)[], context: Context): Execute {
  const scope = new StaticScope(context.scope);
  declareBlock(body, scope);
  const execute = compileBody(body, { ...context, scope });
  return scope.size === 0 ? execute : (run, frame) => execute(run, newFrame(scope, frame));
}

/** A frame for the variables of a scope; `let` and `const` are not to be read yet. */
export function newFrame(scope: StaticScope, parent: Frame | undefined): Frame {
  const slots = new Array<unknown>(scope.size).fill(undefined);
  for (const slot of scope.lexicalSlots()) slots[slot] = UNINITIALISED;
  return new Frame(parent, slots);
}
