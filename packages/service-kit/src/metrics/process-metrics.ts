import { collectDefaultMetrics, Gauge } from 'prom-client';
import { RELEASE } from '../lifecycle/release';
import { measureEventLoopLag } from './event-loop-lag';
import { createGauge, registry } from './registry';

const build = new Gauge({
  name: 'weft_build_info',
  help: 'Version and commit that this process was built from; always 1.',
  labelNames: ['service', 'version', 'commit'],
  registers: [registry],
});

/** Dependencies that a process needs to serve. */
export const READY_CHECKS = ['store', 'broker', 'drain'] as const;

const ready = createGauge({
  name: 'weft_ready',
  help: '1 if the store or broker answered the last check, or if the process is not draining; otherwise 0.',
  labels: { check: READY_CHECKS },
});

/** Shows one readiness check in the metrics. @returns a function that removes it */
export const showReady = (
  check: (typeof READY_CHECKS)[number],
  isReady: () => boolean | Promise<boolean>,
): (() => void) => ready.read(async () => [[{ check }, (await isReady()) ? 1 : 0]]);

const lastTurn = new Gauge({
  name: 'weft_loop_last_turn_timestamp_seconds',
  help: 'Unix time at which the last iteration of a background loop ended, in seconds.',
  labelNames: ['loop'],
  registers: [registry],
});

const interval = new Gauge({
  name: 'weft_loop_interval_seconds',
  help: 'Pause of a background loop between two iterations, in seconds; up to 60 while polls pause.',
  labelNames: ['loop'],
  registers: [registry],
});

/**
 * Records the end of a tick, or the start of a loop.
 * @param loop a name from the code, never from input
 * @param everyMs pause until the next tick, in milliseconds
 */
export const noteTurn = (loop: string, everyMs: number): void => {
  lastTurn.set({ loop }, Date.now() / 1_000);
  interval.set({ loop }, everyMs / 1_000);
};

/** The longest timer interval, so that the event loop is sampled without a timer. */
const NEVER_MS = 2 ** 31 - 1;

/** Starts the metrics of Node and of the build. Call it once per process. */
export const startProcessMetrics = (service: string, commit: string): void => {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  measureEventLoopLag(registry);
  build.set({ service, version: RELEASE, commit }, 1);
};
