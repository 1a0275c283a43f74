import { onceForEach } from '@weft/service-kit/sight';
import { createCancelExecution } from './domain/end/cancel-execution';
import { createDeleteExecution, type DeletePorts } from './domain/end/delete-execution';
import { createListExecutions } from './domain/read/list-executions';
import { createManageRetryJobs } from './domain/retries/manage-retry-jobs';
import { createRetryExecution, type RetryPorts } from './domain/retries/retry-execution';
import { seenRetryJobs } from './domain/retries/seen-retry-jobs';
import { seenReads, type ExecutionReads } from './domain/read/seen-executions';
import type { Store } from './store/open-store';

/** Shared dependencies of the use cases of all visibility scopes. */
interface Shared {
  readonly reads: ExecutionReads;
  readonly retryJobs: Store['retryJobs'];
  readonly retries: Omit<RetryPorts, 'reads'>;
  readonly deletion: Omit<DeletePorts, 'cancel'>;
  readonly retentionMs: number;
}

/** Creates the use cases for the resources of users and projects, once for each visibility scope. */
export const composeSeen = ({ reads: all, retryJobs, retries, deletion, retentionMs }: Shared) => {
  const { apply, clock } = deletion;
  return onceForEach((sight) => {
    const reads = seenReads(all, sight);
    const cancel = createCancelExecution({ reads, apply, clock, retentionMs });
    return {
      reads,
      cancel,
      list: createListExecutions(reads),
      remove: createDeleteExecution({ ...deletion, cancel }),
      retry: createRetryExecution({ ...retries, reads }),
      retryJobs: createManageRetryJobs(seenRetryJobs(retryJobs, sight), clock),
    };
  });
};
