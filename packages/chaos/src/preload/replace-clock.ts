/**
 * Has this process read another wall clock, which is ahead by what `aheadMs` says at that moment. Monotonic clocks and
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
