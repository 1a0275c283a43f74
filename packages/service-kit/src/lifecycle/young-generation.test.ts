import { execFileSync } from 'node:child_process';

const requireOf = (file: string): string => `require(${JSON.stringify(require.resolve(file))})`;
const SMALL = requireOf('../starts-small');
const growWithWork = (first: number): string =>
  `${requireOf('./young-generation')}.growWithWork({ everyMs: 50, first: ${first} })`;

/** Makes what stays, as a start does; prints MiB of the young generation then, after a rest, and after work. */
const PROGRAM = `
const { setTimeout } = require('node:timers/promises');
const { getHeapSpaceStatistics } = require('node:v8');
const mib = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
const held = [];
const make = (count) => held.push(Array.from({ length: count }, (_, index) => ({ index })));
const run = async () => {
  make(600_000);
  const started = mib();
  ready();
  await setTimeout(400);
  const rested = mib();
  for (let until = Date.now() + 500; Date.now() < until; ) {
    Array.from({ length: 20_000 }, (_, index) => ({ index }));
    await setTimeout(0);
  }
  make(600_000);
  // Pages that a collection has left count until they are swept.
  await setTimeout(200);
  console.log(JSON.stringify([started, rested, mib()]));
};
run();
`;

const sizes = (begin: string, ready: string): readonly number[] => {
  const program = `${begin}\nconst ready = () => ${ready};\n${PROGRAM}`;
  const list: unknown = JSON.parse(execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8' }));
  if (!Array.isArray(list)) throw new Error('No sizes.');
  return list.map(Number);
};

describe('the young generation of a service', () => {
  it('stays small while the service starts and at rest, and grows with work', () => {
    const [bySelf = 0] = sizes('', 'undefined');
    const [started, rested, worked] = sizes(SMALL, growWithWork(2));
    expect(bySelf).toBeGreaterThanOrEqual(16);
    expect([started, rested].every((size) => size !== undefined && size <= 4)).toBe(true);
    expect(worked).toBeGreaterThanOrEqual(16);
  });

  it('does not grow with what is loaded ahead of work', () => {
    const [, , worked] = sizes(SMALL, growWithWork(10_000));
    expect(worked).toBeLessThanOrEqual(4);
  });
});
