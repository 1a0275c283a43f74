import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@weft/service-kit/testing';
import { type SandboxLayer, SandboxSpawner } from './spawn-sandbox';
import { sealArchitecture } from './seal/system-calls';
import { RegexProcess } from './regex/regex-process';

const onLinux = process.platform === 'linux' ? it : it.skip;

const whereSealed = sealArchitecture() === undefined ? it.skip : it;

const spawnerWith = (...layers: SandboxLayer[]): { spawner: SandboxSpawner; missing: SandboxLayer[] } => {
  const missing: SandboxLayer[] = [];
  return { spawner: new SandboxSpawner((layer) => missing.push(layer), layers), missing };
};

describe('the confinement of sandboxes', () => {
  it('reports missing tools of the system', () => {
    expect(spawnerWith('network', 'limits').missing).toEqual([]);
    expect(spawnerWith('limits').missing).toEqual(['network']);
    expect(spawnerWith().missing).toEqual(['network', 'limits']);
  });

  it('is kept after a start that was killed', () => {
    const { spawner, missing } = spawnerWith('network', 'limits');
    expect(spawner.failed()).toBe(true);
    expect(missing).toEqual([]);
    spawner.proven();
    for (let kill = 0; kill < 5; kill += 1) spawner.failed();
    expect(spawner.failed()).toBe(false);
    expect(missing).toEqual([]);
  });

  it('gives up only the network isolation, and reports it, if no start ever succeeded with it', () => {
    const { spawner, missing } = spawnerWith('network', 'limits');
    expect([spawner.failed(), spawner.failed()]).toEqual([true, true]);
    expect(missing).toEqual(['network']);
    expect([spawner.failed(), spawner.failed(), spawner.failed()]).toEqual([true, false, false]);
    expect(missing).toEqual(['network']);
  });

  onLinux('keeps the limits of a process without a network namespace', async () => {
    const { spawner } = spawnerWith('limits');
    const child = spawner.spawn('child/regex-main');
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const limits = readFileSync(`/proc/${child.pid ?? 0}/limits`, 'utf8');
    expect(limits).toMatch(/^Max open files +64 /m);
    expect(limits).toMatch(/^Max file size +0 /m);
    child.kill('SIGKILL');
  });

  onLinux('holds for the process that takes the place of one that was killed', async () => {
    const missing: SandboxLayer[] = [];
    const regex = new RegexProcess((layer) => missing.push(layer));
    const networkOf = (pid = 0): string => readlinkSync(`/proc/${pid}/ns/net`);
    const search = { pattern: 'b', flags: '', from: 0, text: 'ab' };
    await regex.ask(search);
    const killed = regex.processId;
    const first = networkOf(killed) !== networkOf(process.pid);
    process.kill(killed ?? 0, 'SIGKILL');
    await until('its end', () => regex.processId !== killed);
    expect(await regex.ask(search)).toMatchObject({ match: { index: 1 } });
    expect(networkOf(regex.processId) !== networkOf(process.pid)).toBe(first);
    expect(missing).toEqual(first ? [] : ['network']);
    const proc = `/proc/${regex.processId ?? 0}`;
    expect(readFileSync(`${proc}/limits`, 'utf8')).toMatch(/^Max open files +64 /m);
    expect(readFileSync(`${proc}/cmdline`, 'utf8')).toMatch(/--(experimental-)?permission\0/);
    expect(readFileSync(`${proc}/environ`, 'utf8')).toBe('TZ=UTC\0');
    regex.close();
  });
  whereSealed(
    'loses the network alone in a pod whose profile refuses namespaces, and the seal holds there',
    async () => {
      const program = join(__dirname, 'testing', 'restricted-pod.js');
      const { stdout } = await promisify(execFile)(process.execPath, [program]);
      expect(JSON.parse(stdout)).toEqual({
        match: 1,
        missing: ['network'],
        sharesNetwork: true,
        openFiles: '64',
        sealedValue: 4,
      });
    },
  );
});
