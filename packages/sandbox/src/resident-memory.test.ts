import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { measureMemory } from './resident-memory';

/** Takes 64 MiB when it is told to. */
const FILLING = `let held; process.stdout.write('ready'); process.stdin.once('data', () => {
  held = Buffer.alloc(64 * 1024 * 1024, 1);
  process.stdout.write(String(held.length));
});`;

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('the memory of a process', () => {
  let child: ChildProcessWithoutNullStreams | undefined;
  afterEach(() => child?.kill());

  // A process of its own: that of the test may have memory to spare.
  it('is what it has whenever that is asked', async () => {
    child = spawn(process.execPath, ['-e', FILLING]);
    await once(child.stdout, 'data');
    const meter = measureMemory(child.pid ?? 0);
    const before = meter.now().residentMb;
    child.stdin.write('fill');
    await once(child.stdout, 'data');
    expect(meter.now().residentMb - before).toBeGreaterThan(48);
    meter.close();
  });

  it("counts as a copy's own from when it first said that it is ready, whatever it says later", async () => {
    child = spawn(process.execPath, ['-e', FILLING]);
    await once(child.stdout, 'data');
    const meter = measureMemory(child.pid ?? 0, true);
    meter.begin();
    expect(meter.now().ownMb).toBeLessThan(16);
    child.stdin.write('fill');
    await once(child.stdout, 'data');
    meter.begin();
    expect(meter.now().ownMb).toBeGreaterThan(48);
    meter.close();
  });

  it('is none once it has ended, whoever has its number then', async () => {
    child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const meter = measureMemory(child.pid ?? 0);
    expect(meter.now().residentMb).toBeGreaterThan(0);
    child.kill();
    await once(child, 'close');
    expect(meter.now().residentMb).toBe(0);
    meter.close();
  });
});
