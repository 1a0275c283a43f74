import { openFormats } from '@weft/nodes/formats';
import { type CodeRunner, type OnMissingLayer, openSandboxes, type TaskRunner } from '@weft/sandbox';
import type { Logger } from '@weft/service-kit/logging';
import type { Config } from '../config';
import { heldCodeMb } from '../memory/plan-memory';
import { countSandboxes, noteSandboxWait } from '../observing/runner-metrics';
import { openOnUse } from './open-on-use';

/** The processes that run code and read untrusted data, for a runner and all of its child processes. */
export interface RunnerPools {
  /** Runs the code of one owner. */
  readonly code: { readonly of: (owner: string) => CodeRunner };
  /** Runs the tasks on untrusted data of one owner. */
  readonly formats: { readonly of: (owner: string) => TaskRunner };
}

/** Pools of this process. */
export interface OpenPools extends RunnerPools {
  /** Resolves when code can run, or is refused. */
  readonly ready: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Pool settings, and MiB per task on untrusted data. */
export type PoolSettings = Pick<Config, 'sandboxes' | 'sandboxMb' | 'codeTimeoutMs'> & { readonly formatsMb: number };

/** Logs that processes run without a layer of confinement. */
export const logMissingLayer =
  (logger: Logger): OnMissingLayer =>
  (layer) =>
    logger.warn({ layer }, 'sandboxes run without a layer of confinement: this system lacks or refuses it');

/** Opens the pools of a runner, each on first use: most runners never need the one for untrusted data. */
export const openPools = (config: PoolSettings, logger: Logger): OpenPools => {
  let isTold = false;
  /** Both pools lack the same layers. */
  const onUnavailable = (reason: Error): void => {
    if (!isTold)
      logger.error(
        { err: reason },
        'no sandbox process could be started and sealed: Code nodes and parsers of untrusted data fail. Run the ' +
          'runner on Linux (x64 or arm64), where its container runtime lets it install seccomp filters',
      );
    isTold = true;
  };
  const code = openOnUse(() =>
    openSandboxes({
      processes: config.sandboxes,
      heldMb: heldCodeMb(config),
      memoryMb: config.sandboxMb,
      timeoutMs: config.codeTimeoutMs,
      onWaited: noteSandboxWait,
      onUnavailable,
      onNoPython: () => logger.error('code in Python fails: the optional package pyodide is not installed'),
    }),
  );
  const formats = openOnUse(() => openFormats({ memoryMb: config.formatsMb, onUnavailable }));
  return {
    code: { of: countSandboxes(code.of, config.sandboxes) },
    formats,
    ready: code.ready,
    close: async () => {
      await code.close();
      await formats.close();
    },
  };
};
