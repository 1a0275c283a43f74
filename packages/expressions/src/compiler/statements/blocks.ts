import type { ModuleDeclaration, Statement } from 'acorn';
import { StaticScope } from '../context';
import type { Context } from '../context';
import { declareBlock } from './declarations';
import { Frame } from '../frame';
import { compileBody } from './statements';
import type { Execute } from './statements';

/** Compiles `{ … }` with the variables that belong to it. */
export function compileBlock(body: readonly (Statement | ModuleDeclaration)[], context: Context): Execute {
  const scope = new StaticScope(context.scope);
  declareBlock(body, scope);
  const execute = compileBody(body, { ...context, scope });
  const open = frameMaker(scope);
  return (run, frame) => execute(run, open(frame));
}

/** Makes the frames of a scope whose variables are all declared: the frame around it if it has none. */
export function frameMaker(scope: StaticScope): (parent: Frame | undefined) => Frame | undefined {
  if (scope.size === 0) return (parent) => parent;
  const slots = scope.initialSlots();
  return (parent) => new Frame(parent, slots.slice());
}
