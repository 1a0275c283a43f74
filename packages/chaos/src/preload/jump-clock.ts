import { replaceClock } from './replace-clock';

/*
 * Loaded into a service before its own code (NODE_OPTIONS --require): at each SIGWINCH, which a process without a
 * terminal does not get otherwise, the wall clock that it reads jumps ahead by eleven minutes.
 */
const JUMP_MS = 11 * 60_000;

let aheadMs = 0;
replaceClock(() => aheadMs);
process.on('SIGWINCH', () => {
  aheadMs += JUMP_MS;
});
