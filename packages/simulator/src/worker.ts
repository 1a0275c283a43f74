import { parseArgs } from 'node:util';
import { applyMutation } from './mutations/apply-mutation';
import { MUTATIONS } from './mutations/mutations';
import { installPlatform } from './world/installation';
import type { simulate as Simulate } from './world/simulate';

/** Report of a seed, one line of JSON each. */
export interface Report {
  readonly seed: number;
  readonly hash: string;
  readonly events: number;
  readonly violations: readonly string[];
}

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    mutation: { type: 'string' },
    /** Ends after the first seed with a violation. */
    first: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
  },
});

const mutation = MUTATIONS.find(({ name }) => name === values.mutation);
if (values.mutation !== undefined && mutation === undefined)
  throw new Error(`There is no mutation ${values.mutation}.`);
if (mutation !== undefined) applyMutation(mutation);
installPlatform();

const main = async (): Promise<void> => {
  // Loaded only now: the code that it simulates must find the replaced platform.
  const { simulate }: { simulate: typeof Simulate } = await import('./world/simulate.js');
  const from = Number(values.from);
  for (let seed = from; seed < from + Number(values.seeds); seed += 1) {
    const { trace, hash, events, violations } = await simulate(seed, values.trace);
    for (const line of trace) process.stdout.write(`${line}\n`);
    const report: Report = { seed, hash, events, violations };
    process.stdout.write(`${JSON.stringify(report)}\n`);
    if (values.first && violations.length > 0) return;
  }
};

void main();
