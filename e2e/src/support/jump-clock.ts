/*
 * Loaded into a service before its own code (NODE_OPTIONS --require): at each SIGWINCH, which a process without a
 * terminal does not get otherwise, the wall clock that it reads goes on by eleven minutes. Monotonic clocks and timers
 * are unchanged.
 */
const JUMP_MS = 11 * 60_000;

const RealDate = Date;
let aheadMs = 0;
const now = (): number => RealDate.now() + aheadMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
process.on('SIGWINCH', () => {
  aheadMs += JUMP_MS;
});
