/**
 * Replaces the wall clock of this process by one that is ahead by the current value of `aheadMs`. Monotonic clocks and
 * timers are unchanged.
 */
export const replaceClock = (aheadMs: () => number): void => {
  const RealDate = Date;
  const now = (): number => RealDate.now() + aheadMs();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
};
