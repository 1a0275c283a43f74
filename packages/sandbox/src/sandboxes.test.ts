import { closeAfterEach } from '@weft/service-kit/testing';
import { openSandboxes } from './sandboxes';
import type { SealChoice } from './open-pool';
import { sealArchitecture } from './seal/system-calls';
import { runScript } from './testing/run-script';

describe('sandboxes', () => {
  const later = closeAfterEach();
  const told: string[] = [];
  const optionsOf = (seal: SealChoice) => ({
    seal,
    processes: 1,
    memoryMb: 64,
    timeoutMs: 5_000,
    onUnsealed: (reason: Error): void => void told.push(reason.message),
  });
  /** A pool on a system that seals nothing. */
  const unsealable = () => ({
    of: () => ({ run: () => Promise.reject(new Error('Not part of this test.')) }),
    open: () => Promise.reject(new Error('no seccomp')),
    close: () => Promise.resolve(),
  });
  /** WebAssembly is there in neither engine; V8 alone has words of its own for this. */
  const V8_ONLY = 'try { null.f() } catch (e) { return typeof e.stack === "string" && typeof Intl.Segmenter }';

  it('run code in QuickJS, and say why, where no process can be sealed', async () => {
    const sandboxes = later(openSandboxes(optionsOf('auto'), unsealable), (open) => open.close());
    expect(await runScript(sandboxes.of('owner'), V8_ONLY)).toMatchObject({ value: 'undefined' });
    expect(told).toEqual(['no seccomp']);
  });

  it('refuse to run anything there if they must be sealed', async () => {
    const sandboxes = later(openSandboxes(optionsOf('required'), unsealable), (open) => open.close());
    await expect(sandboxes.ready()).rejects.toThrow('no seccomp');
    expect(await runScript(sandboxes.of('owner'), 'return 1')).toMatchObject({ stopped: 'start' });
  });

  it('run code in QuickJS when the seal is off', async () => {
    const sandboxes = later(openSandboxes(optionsOf('off')), (open) => open.close());
    expect(await runScript(sandboxes.of('owner'), V8_ONLY)).toMatchObject({ value: 'undefined' });
  });

  (sealArchitecture() === undefined ? it.skip : it)('run code in V8 where a process can be sealed', async () => {
    const sandboxes = later(openSandboxes(optionsOf('required')), (open) => open.close());
    await sandboxes.ready();
    expect(await runScript(sandboxes.of('owner'), V8_ONLY)).toMatchObject({ value: 'function' });
  });
});
