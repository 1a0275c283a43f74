import { asFunction } from '../../runtime/values/function-value';
import type { Arguments } from '../../runtime/values/function-value';
import { isArray } from '../../runtime/kinds';
import type { Run } from '../../runtime/run';
import { typeError } from '../../runtime/thrown';
import { methodTable } from '../method';
import type { MethodBody } from '../method';

type Visit = (result: unknown, entry: unknown, index: number) => boolean | void;

/**
 * Calls the function in the first argument for each entry in turn, until `visit` returns false. Entries that the
 * function adds are not visited, nor those it takes away.
 */
function visitEach(run: Run, self: readonly unknown[], [callback, thisValue]: Arguments, visit: Visit): void {
  const call = asFunction(callback);
  const { length } = self;
  for (let index = 0; index < length && index < self.length; index += 1) {
    const entry = self[index];
    if (visit(call.call(run, thisValue, [entry, index, self]), entry, index) === false) return;
  }
}

/** As `visitEach`, from the last entry to the first. */
function visitBackwards(run: Run, self: readonly unknown[], [callback, thisValue]: Arguments, visit: Visit): void {
  const call = asFunction(callback);
  for (let index = self.length - 1; index >= 0; index -= 1) {
    const entry = self[index];
    if (visit(call.call(run, thisValue, [entry, index, self]), entry, index) === false) return;
  }
}

/** The first entry, or its index, for which the callback returns something truthy. */
const finding =
  (order: typeof visitEach, want: 'entry' | 'index'): MethodBody<unknown[]> =>
  (run, self, args) => {
    let found: unknown = want === 'index' ? -1 : undefined;
    order(run, self, args, (result, entry, index) => {
      if (!result) return true;
      found = want === 'index' ? index : entry;
      return false;
    });
    return found;
  };

function filter(run: Run, self: unknown[], args: Arguments): unknown[] {
  const kept: unknown[] = [];
  visitEach(run, self, args, (result, entry) => {
    if (result) kept.push(entry);
  });
  return run.made(kept);
}

function map(run: Run, self: unknown[], args: Arguments): unknown[] {
  run.allowEntries(self.length);
  const results: unknown[] = [];
  visitEach(run, self, args, (result) => {
    results.push(result);
  });
  return run.made(results);
}

function flatMap(run: Run, self: unknown[], args: Arguments): unknown[] {
  const results: unknown[] = [];
  visitEach(run, self, args, (result) => {
    const entries = isArray(result) ? result : [result];
    run.work(entries.length);
    run.grow(results.length + entries.length);
    for (const entry of entries) results.push(entry);
  });
  return run.made(results);
}

/** Folds the entries from one end to the other. Without a start value, the first entry met is it. */
const folding =
  (fromEnd: boolean): MethodBody<unknown[]> =>
  (run, self, args) => {
    const call = asFunction(args[0]);
    const indexes = self.map((_, index) => (fromEnd ? self.length - 1 - index : index));
    run.work(indexes.length);
    let result = args[1];
    if (args.length < 2) {
      const first = indexes.shift();
      if (first === undefined) throw typeError('Reduce of empty array with no initial value');
      result = self[first];
    }
    for (const index of indexes) {
      if (index < self.length) result = call.call(run, undefined, [result, self[index], index, self]);
    }
    return result;
  };

/** Methods of JavaScript arrays that call a function for the entries, and change nothing. */
export const arrayCallbackMethods = methodTable('Array', isArray, {
  every: (run, self, args) => {
    let holds = true;
    visitEach(run, self, args, (result) => (holds = Boolean(result)));
    return holds;
  },
  filter,
  find: finding(visitEach, 'entry'),
  findIndex: finding(visitEach, 'index'),
  findLast: finding(visitBackwards, 'entry'),
  findLastIndex: finding(visitBackwards, 'index'),
  flatMap,
  forEach: (run, self, args) => visitEach(run, self, args, () => true),
  map,
  reduce: folding(false),
  reduceRight: folding(true),
  some: (run, self, args) => {
    let holds = false;
    visitEach(run, self, args, (result) => !(holds = Boolean(result)));
    return holds;
  },
});
