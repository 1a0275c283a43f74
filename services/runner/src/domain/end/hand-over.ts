import type { WorkflowDefinition } from '@weft/node-catalogue';
import type { ClaimedExecution } from '../claims/claimed-execution';
import type { ExecutionStore } from '../claims/held/execution-store';
import type { Held } from '../claims/held/held-executions';
import { retryWhileHeld } from '../claims/held/retry-while-held';
import type { RunResult } from './run-result';

/** A claimed execution on its way to another process of the same runner, which renews the claim from then on. */
export interface HandedOver {
  readonly claimed: ClaimedExecution;
  readonly definition: WorkflowDefinition;
  readonly leaseMs: number;
}

/**
 * Another process of the same runner takes a run over, or returns for how long to release it: this process still holds
 * the claim then.
 */
export type RunElsewhere = (handedOver: HandedOver) => Promise<'taken' | { readonly delayMs: number }>;

/**
 * A run that cannot start here is released unchanged, because its definition or memory is missing, with a delay for
 * memory.
 */
export const releaseUnchanged = async (
  claimed: ClaimedExecution,
  held: Held,
  store: Pick<ExecutionStore, 'release' | 'persist'>,
  delay: { readonly delayMs?: number } = {},
): Promise<RunResult> => {
  const { executionId, fence, checkpoint } = claimed;
  const unchanged = { executionId, fence, checkpoint, nodeRuns: [], engineState: new Uint8Array(0) };
  await retryWhileHeld(() => store.release({ ...unchanged, ...delay }), held.signal, {
    witness: () => store.persist(claimed),
  });
  return { kind: 'suspended' };
};

/** Hands a run over, or releases it for a while. The other process knows only what is stored. */
export const handOver = async (
  runElsewhere: RunElsewhere,
  handedOver: HandedOver,
  held: Held,
  { store, isStored }: { readonly store: ExecutionStore; readonly isStored?: () => boolean },
): Promise<RunResult> => {
  const { claimed } = handedOver;
  if (isStored?.() === false) await retryWhileHeld(() => store.persist(claimed), held.signal);
  const outcome = await runElsewhere(handedOver);
  return outcome === 'taken' ? { kind: 'suspended' } : releaseUnchanged(claimed, held, store, outcome);
};
