import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Turns of a loop, and the milliseconds that they take on an idle machine of the kind that paces were chosen on. */
const TURNS = 50_000_000;
const TURNS_MS = 150;
const SAMPLES = 5;
const PAUSE_MS = 200;
const MAX_FACTOR = 4;

/** Time of a part of the loop, as a multiple of that on an idle machine. */
export const slownessOf = (turns = TURNS / 10): number => {
  const begunAt = performance.now();
  let sum = 0;
  for (let turn = 0; turn < turns; turn += 1) sum += turn % 7;
  return sum < 0 ? 0 : (performance.now() - begunAt) / (TURNS_MS * (turns / TURNS));
};

const factorOf = (samples: readonly number[]): number =>
  Math.min(MAX_FACTOR, Math.max(1, samples.reduce((sum, sample) => sum + sample, 0) / Math.max(1, samples.length)));

/**
 * Factor by which leases are longer and loads lighter here: 1, and up to 4 on a machine that is slow or does
 * other work. The tests judge whether the service keeps its promises, not whether the machine keeps its pace.
 */
export const slowness = async (): Promise<number> => {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    samples.push(slownessOf(TURNS));
    await sleep(PAUSE_MS);
  }
  return factorOf(samples);
};

/** Measures the factor while a test runs: other tests may begin meanwhile. @returns ends it, and gives the average */
export const watchSlowness = (): (() => number) => {
  const program = spawn(process.execPath, [join(__dirname, 'speed-program.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  program.stdout.on('data', (part) => (output += String(part)));
  return () => {
    program.kill('SIGKILL');
    return factorOf(output.split('\n').slice(0, -1).map(Number));
  };
};
