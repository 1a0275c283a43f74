import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { measureMemory } from './resident-memory';

/** Allocates 64 MiB on request. */
const FILLING = `let held; process.stdout.write('ready'); process.stdin.once('data', () => {
  held = Buffer.alloc(64 * 1024 * 1024, 1);
  process.stdout.write(String(held.length));
});`;

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('the memory of a process', () => {
  let child: ChildProcessWithoutNullStreams | undefined;
  afterEach(() => child?.kill());

  // A separate process: that of the test may have memory to spare.
  it('is current whenever it is read', async () => {
    child = spawn(process.execPath, ['-e', FILLING]);
    await once(child.stdout, 'data');
    const meter = measureMemory(child.pid ?? 0);
    const before = meter.now().residentMb;
    child.stdin.write('fill');
    await once(child.stdout, 'data');
    expect(meter.now().residentMb - before).toBeGreaterThan(48);
    meter.close();
  });

  it('counts as private to a copy from its first ready message on, whatever it sends later', async () => {
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

  it('is zero once it has ended, even if its number is reused', async () => {
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
