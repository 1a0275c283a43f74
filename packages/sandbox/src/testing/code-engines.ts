import { CodePool } from '../code-pool';
import type { CodeRunner } from '../code-runner';
import { sealArchitecture } from '../seal/system-calls';
import { SealedPool } from '../sealed-pool';

/** Limits of the runs of an engine under test. */
export interface EngineLimits {
  readonly memoryMb: number;
  readonly timeoutMs: number;
}

/** An engine that runs code in processes. */
export interface CodeEngine extends CodeRunner {
  readonly processIds: readonly number[];
  close(): Promise<void>;
}

const quickJs = (limits: EngineLimits): CodeEngine => new CodePool({ processes: 1, ...limits });

const sealedV8 = (limits: EngineLimits): CodeEngine => {
  const pool = new SealedPool({ processes: 1, ...limits });
  const { run } = pool.of('owner');
  return {
    run,
    close: () => pool.close(),
    get processIds() {
      return pool.processIds;
    },
  };
};

type EngineName = 'QuickJS' | 'sealed V8';

/** The engines that can run here, by name: each must do the same. */
export const CODE_ENGINES: readonly (readonly [name: EngineName, open: (limits: EngineLimits) => CodeEngine])[] = [
  ['QuickJS', quickJs],
  ...(sealArchitecture() === undefined ? [] : [['sealed V8', sealedV8] as const]),
];
