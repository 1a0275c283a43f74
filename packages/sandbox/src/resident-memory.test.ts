import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { measureMemory } from './resident-memory';

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('the memory of a process', () => {
  it('is what it has whenever that is asked', () => {
    const meter = measureMemory(process.pid);
    const before = meter.mb();
    const held = Buffer.alloc(64 * 1024 * 1024, 1);
    expect(meter.mb() - before).toBeGreaterThan(48);
    expect(held).toHaveLength(64 * 1024 * 1024);
    meter.close();
  });

  it('is none once it has ended, whoever has its number then', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const meter = measureMemory(child.pid ?? 0);
    expect(meter.mb()).toBeGreaterThan(0);
    child.kill();
    await once(child, 'close');
    expect(meter.mb()).toBe(0);
    meter.close();
  });
});
