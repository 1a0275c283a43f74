import type { Arguments } from '../../runtime/values/function-value';
import { toInteger } from '../../runtime/convert';
import { isArray } from '../../runtime/kinds';
import type { Run } from '../../runtime/run';
import { insertAt } from './lists';
import { methodTable } from '../method';
import type { MethodBody } from '../method';
import { sorted } from './lists';

/** A method that changes the array: only one that the expression made, or a copy of the scope's data. */
const changing =
  (body: MethodBody<unknown[]>): MethodBody<unknown[]> =>
  (run, self, args) => {
    run.mustOwn(self);
    run.work(self.length >> 6);
    return body(run, self, args);
  };

function replaceAll(self: unknown[], entries: readonly unknown[]): unknown[] {
  entries.forEach((entry, index) => (self[index] = entry));
  return self;
}

function push(run: Run, self: unknown[], args: Arguments): number {
  run.grow(self.length + args.length);
  for (const arg of args) self.push(arg);
  return self.length;
}

function unshift(run: Run, self: unknown[], args: Arguments): number {
  run.grow(self.length + args.length);
  insertAt(self, 0, 0, args);
  return self.length;
}

function splice(run: Run, self: unknown[], args: Arguments): unknown[] {
  if (args.length === 0) return run.made([]);
  const start = toInteger(run, args[0]);
  const count = args.length < 2 ? self.length : toInteger(run, args[1]);
  run.allowEntries(self.length + Math.max(0, args.length - 2));
  return run.made(insertAt(self, start, count, args.slice(2)));
}

function fill(run: Run, self: unknown[], [value, start, end]: Arguments): unknown[] {
  run.work(self.length);
  return self.fill(value, toInteger(run, start), toInteger(run, end, self.length));
}

function copyWithin(run: Run, self: unknown[], [target, start, end]: Arguments): unknown[] {
  run.work(self.length);
  return self.copyWithin(toInteger(run, target), toInteger(run, start), toInteger(run, end, self.length));
}

/** Methods of JavaScript arrays that change the array. */
export const arrayMutatorMethods = methodTable('Array', isArray, {
  copyWithin: changing(copyWithin),
  fill: changing(fill),
  pop: changing((_run, self) => self.pop()),
  push: changing(push),
  reverse: changing((_run, self) => self.reverse()),
  shift: changing((_run, self) => self.shift()),
  sort: changing((run, self, [compare]) => replaceAll(self, sorted(run, self, compare))),
  splice: changing(splice),
  unshift: changing(unshift),
});
