import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { MUTATIONS } from './mutations/mutations';
import { runSeeds } from './run-seeds';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    only: { type: 'string' },
    /** Also those that hundreds of seeds do not notice. */
    all: { type: 'boolean', default: false },
  },
});

/** Removes each protection in turn, and prints after how many seeds the simulator notices. */
const main = async (): Promise<void> => {
  const chosen = MUTATIONS.filter(({ name, isRare }) =>
    values.only === undefined ? isRare !== true || values.all : values.only.split(',').includes(name),
  );
  process.stdout.write('| protection removed | seeds until found | violation |\n|---|---:|---|\n');
  for (const { name, removes } of chosen) {
    const options = { from: 1, count: Number(values.seeds), jobs: Number(values.jobs), mutation: name };
    const reports = await runSeeds({ ...options, stopsAtFirst: true });
    const found = reports.find(({ violations }) => violations.length > 0);
    const first = found?.violations[0]?.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'a run').slice(0, 110) ?? '';
    process.stdout.write(`| \`${name}\`: ${removes} | ${found?.seed ?? `none in ${reports.length}`} | ${first} |\n`);
    if (found === undefined) process.exitCode = 1;
  }
};

void main();
