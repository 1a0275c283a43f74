/*
 * Loaded into a service before its own code (NODE_OPTIONS --require): shifts the wall clock that it reads by
 * CHAOS_CLOCK_MS milliseconds. Monotonic clocks and timers are unchanged, as on a machine whose time is wrong.
 */
const offsetMs = Number(process.env['CHAOS_CLOCK_MS'] ?? '0');

if (Number.isFinite(offsetMs) && offsetMs !== 0) {
  const RealDate = Date;
  const now = (): number => RealDate.now() + offsetMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}
