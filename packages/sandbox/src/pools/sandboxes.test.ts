import { closeAfterEach } from '@weft/service-kit/testing';
import { openSandboxes, type Sandboxes } from './sandboxes';
import { sealArchitecture } from '../seal/system-calls';
import { runScript } from '../testing/run-script';

describe('sandboxes', () => {
  const later = closeAfterEach();
  const told: string[] = [];
  const open = (): Sandboxes => {
    const onUnavailable = (reason: Error): void => void told.push(reason.message);
    return later(openSandboxes({ processes: 1, memoryMb: 64, timeoutMs: 5_000, onUnavailable }), (opened) =>
      opened.close(),
    );
  };
  beforeEach(() => told.splice(0));

  it('refuse all code if no process can be sealed, and report the reason once', async () => {
    const arch = Object.getOwnPropertyDescriptor(process, 'arch') ?? {};
    Object.defineProperty(process, 'arch', { ...arch, value: 'riscv64' });
    try {
      const sandboxes = open();
      await sandboxes.ready();
      for (const owner of ['a', 'b'])
        expect(await runScript(sandboxes.of(owner), 'return 1')).toEqual({ stopped: 'unsealed', console: [] });
      expect(told).toEqual([`No process can be sealed on ${process.platform} (riscv64).`]);
    } finally {
      Object.defineProperty(process, 'arch', arch);
    }
  });

  (sealArchitecture() === undefined ? it.skip : it)('run code where a process can be sealed', async () => {
    const sandboxes = open();
    await sandboxes.ready();
    expect(await runScript(sandboxes.of('owner'), 'return 6 * 7')).toMatchObject({ value: 42 });
    expect(told).toEqual([]);
  });
});
