import { replaceClock } from './replace-clock';

/*
 * Loaded into a service before its own code (NODE_OPTIONS --require): shifts the wall clock that it reads by
 * CHAOS_CLOCK_MS milliseconds. Monotonic clocks and timers are unchanged, as on a machine whose time is wrong.
 */
const offsetMs = Number(process.env['CHAOS_CLOCK_MS'] ?? '0');

if (Number.isFinite(offsetMs) && offsetMs !== 0) replaceClock(() => offsetMs);
