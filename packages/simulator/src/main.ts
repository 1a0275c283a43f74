import { parseArgs } from 'node:util';
import { installPlatform } from './world/installation';
import type { simulate as Simulate } from './world/simulate';

const realNow = performance.now.bind(performance);
installPlatform();

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    from: { type: 'string' },
    hash: { type: 'boolean' },
    trace: { type: 'boolean' },
  },
});

const main = async (): Promise<void> => {
  // Loaded only now: the code that it simulates must find the replaced platform.
  const { simulate }: { simulate: typeof Simulate } = await import('./world/simulate.js');
  const from = Number(values.seed ?? values.from ?? 1);
  const count = values.seed === undefined ? Number(values.seeds ?? 100) : 1;
  const begun = realNow();
  let failed = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const { violations, hash, trace, events, virtualMs } = await simulate(
      seed,
      values.seed !== undefined || values.trace === true,
    );
    if (values.hash === true) process.stdout.write(`${seed} ${hash}\n`);
    for (const line of trace) process.stdout.write(`${line}\n`);
    if (values.seed !== undefined)
      process.stdout.write(`${events} events, ${(virtualMs / 1_000).toFixed(1)} s, hash ${hash}\n`);
    if (violations.length === 0) continue;
    failed += 1;
    process.stdout.write(`seed ${seed}: ${violations.join('\n  ')}\n  replay it: npm run simulate -- --seed ${seed}\n`);
  }
  const seconds = (realNow() - begun) / 1_000;
  process.stdout.write(
    `${count} seeds, ${failed} with violations, ${seconds.toFixed(1)} s, ${((count / seconds) * 60).toFixed(0)} seeds/minute\n`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
};

void main();
