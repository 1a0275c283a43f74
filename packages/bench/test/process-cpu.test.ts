import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpuBetween, readCpu } from '../src/cpu/process-cpu';
import { readMemory } from '../src/cpu/memory';

/** Milliseconds of CPU that each process spends; several clock ticks of the kernel. */
const SPENT_MS = 150;

const BURN = `
  const burn = (ms) => { while (process.cpuUsage().user / 1000 < ms); };
`;
/** Starts a child that spends CPU time and ends, reports it, and stays until its input ends. */
const PARENT = `${BURN}
  const { spawnSync } = require('node:child_process');
  process.stdin.once('data', () => {
    spawnSync(process.execPath, ['-e', ${JSON.stringify(`${BURN} burn(${SPENT_MS});`)}]);
    process.stdout.write('done');
  });
  process.stdout.write('ready');
`;

describe('the CPU time of a process', () => {
  let parent: ChildProcess;
  beforeEach(async () => {
    parent = spawn(process.execPath, ['-e', PARENT], { stdio: ['pipe', 'pipe', 'inherit'] });
    if (parent.stdout !== null) await once(parent.stdout, 'data');
  });
  afterEach(async () => {
    const ended = once(parent, 'exit');
    parent.stdin?.end();
    parent.kill();
    await ended;
  });

  it('contains that of a child which started and ended between two readings', async () => {
    const processes = [{ name: 'parent', pid: parent.pid ?? -1, showsChildren: true }];
    const before = readCpu(processes);
    parent.stdin?.write('go');
    if (parent.stdout !== null) await once(parent.stdout, 'data');
    const spent = cpuBetween(before, readCpu(processes));
    expect(spent.get('parent children')).toBeGreaterThanOrEqual(SPENT_MS - 20);
    expect(spent.get('parent')).toBeLessThan(SPENT_MS);
  });

  it('includes the resident memory', () => {
    const memory = readMemory([{ name: 'parent', pid: parent.pid ?? -1, showsChildren: true }]);
    expect(memory.get('parent')).toBeGreaterThan(10);
    expect(memory.has('parent children')).toBe(false);
  });
});
