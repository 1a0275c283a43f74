import { setTimeout as sleep } from 'node:timers/promises';

/** Turns of a loop, and the milliseconds that they take on an idle machine of the kind that paces were chosen on. */
const TURNS = 50_000_000;
const TURNS_MS = 150;
const SAMPLES = 5;
const PAUSE_MS = 200;
const MAX_FACTOR = 4;

const sampleMs = (): number => {
  const begunAt = performance.now();
  let sum = 0;
  for (let turn = 0; turn < TURNS; turn += 1) sum += turn % 7;
  return sum < 0 ? 0 : performance.now() - begunAt;
};

/**
 * Factor by which leases are longer and loads lighter here: 1, and up to 4 on a machine that is slow or does
 * other work. The tests judge whether the service keeps its promises, not whether the machine keeps its pace.
 */
export const slowness = async (): Promise<number> => {
  let total = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    total += sampleMs();
    await sleep(PAUSE_MS);
  }
  return Math.min(MAX_FACTOR, Math.max(1, total / SAMPLES / TURNS_MS));
};
