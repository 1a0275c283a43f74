import { createContext, Script } from 'node:vm';

const scope: { work: () => unknown } = { work: () => undefined };
const context = createContext(scope);
const script = new Script('work()');

/**
 * Does our own work, and ends it wherever it is when the time is over: also in loops of the engine that never check.
 * @throws Error when the time is over, and whatever the work throws
 */
export function withinTime<T>(ms: number, work: () => T): T {
  let result: { readonly value: T } | undefined;
  scope.work = () => {
    result = { value: work() };
  };
  script.runInContext(context, { timeout: Math.max(1, Math.ceil(ms)) });
  if (result === undefined) throw new Error('The work returned nothing.');
  return result.value;
}
