/** True for what the runtime throws where data is nested deeper than functions can call each other. */
export function isTooDeep(thrown: unknown): boolean {
  return thrown instanceof RangeError && thrown.message === 'Maximum call stack size exceeded';
}
