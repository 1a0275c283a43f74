import { errorRecordOf, type HttpResponse } from '@weft/engine';
import type { Unsaved } from './checkpoints';
import type { ClaimedExecution } from '../claims/claimed-execution';
import type { ExecutionStore, RunEnd, RunError } from '../claims/held/execution-store';
import type { Held } from '../claims/held/held-executions';
import { retryWhileHeld } from '../claims/held/retry-while-held';
import type { RunResult } from './run-result';

/** Ends a run that cannot continue, with its unreported node runs. */
export const endWithError = async (
  claimed: ClaimedExecution,
  unsaved: Unsaved,
  held: Held,
  runError: RunError,
  store: Pick<ExecutionStore, 'report' | 'persist'>,
  answer?: HttpResponse,
): Promise<RunResult> => {
  const { executionId, fence } = claimed;
  const failure = errorRecordOf(runError, { name: '', type: '' });
  const end: RunEnd = {
    executionId,
    fence,
    ...unsaved,
    lastNode: '',
    error: failure,
    failureReason: runError.reason,
    ...(answer === undefined ? {} : { response: answer }),
  };
  const written = await retryWhileHeld(() => store.report(end), held.signal, {
    witness: () => store.persist(claimed),
  });
  return written === 'fenced' ? { kind: 'suspended' } : { kind: 'error', message: failure.message, name: failure.name };
};
