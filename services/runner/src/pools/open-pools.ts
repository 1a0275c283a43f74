import { openFormats } from '@weft/nodes/formats';
import { type CodeRunner, type OnMissingLayer, openSandboxes, type TaskRunner } from '@weft/sandbox';
import type { Logger } from '@weft/service-kit/logging';
import type { Config } from '../config';
import { heldCodeMb } from '../memory/plan-memory';
import { countSandboxes, noteSandboxWait } from '../observing/runner-metrics';
import { openOnUse } from './open-on-use';

/** The processes that run code and read foreign data, of a runner and of all of its child processes together. */
export interface RunnerPools {
  /** What runs the code of one owner. */
  readonly code: { readonly of: (owner: string) => CodeRunner };
  /** What does the tasks on foreign data of one owner. */
  readonly formats: { readonly of: (owner: string) => TaskRunner };
}

/** Pools of this process. */
export interface OpenPools extends RunnerPools {
  /** Resolves when code can run. @throws Error if code must run sealed, and cannot */
  readonly ready: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What settings say about pools. */
type PoolSettings = Pick<Config, 'seal' | 'sandboxes' | 'sandboxMb' | 'codeTimeoutMs' | 'formatsMb'>;

/** Logs that processes run without a layer of confinement. */
export const logMissingLayer =
  (logger: Logger): OnMissingLayer =>
  (layer) =>
    logger.warn({ layer }, 'sandboxes run without a layer of confinement: this system lacks or refuses it');

/** Opens the pools of a runner, each when it is first used: most runners never need the one for foreign data. */
export const openPools = (config: PoolSettings, logger: Logger): OpenPools => {
  const code = openOnUse(() =>
    openSandboxes({
      seal: config.seal,
      processes: config.sandboxes,
      heldMb: heldCodeMb(config),
      memoryMb: config.sandboxMb,
      timeoutMs: config.codeTimeoutMs,
      onMissingLayer: logMissingLayer(logger),
      onWaited: noteSandboxWait,
      onUnsealed: (reason) =>
        logger.warn({ err: reason }, 'no process can be sealed here: code runs in QuickJS, which is slower'),
    }),
  );
  const formats = openOnUse(() =>
    openFormats({
      seal: config.seal,
      memoryMb: config.formatsMb,
      onUnsealed: (reason) =>
        logger.warn(
          { err: reason },
          'no process can be sealed here: foreign data is parsed in processes that have limits only',
        ),
    }),
  );
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
