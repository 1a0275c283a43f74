import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { printSeed, runSeeds } from './run-seeds';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    mutation: { type: 'string' },
  },
});

const mutated = values.mutation === undefined ? {} : { mutation: values.mutation };

const main = async (): Promise<void> => {
  if (values.seed !== undefined) {
    process.exitCode = (await printSeed(Number(values.seed), values.mutation)) ?? 1;
    return;
  }
  const count = Number(values.seeds);
  const begun = performance.now();
  const reports = await runSeeds({ from: Number(values.from), count, jobs: Number(values.jobs), ...mutated });
  const seconds = (performance.now() - begun) / 1_000;
  const failed = reports.filter(({ violations }) => violations.length > 0);
  for (const { seed, violations } of failed)
    process.stdout.write(
      `seed ${seed}:\n  ${violations.join('\n  ')}\n  npm run simulate -- --seed ${seed} shows it again\n`,
    );
  const events = reports.reduce((sum, report) => sum + report.events, 0);
  process.stdout.write(
    `${count} seeds, ${failed.length} with violations; ${Math.round(events / count)} events each; ` +
      `${seconds.toFixed(1)} s, ${Math.round((count / seconds) * 60)} seeds a minute\n`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
};

void main();
