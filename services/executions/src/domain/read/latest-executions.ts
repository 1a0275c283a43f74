import { InvalidRequest } from '@weft/service-kit/errors';
import type { ScopedReads } from './scoped-executions';
import type { ShownExecution } from './shown-executions';

/** Newest executions of several workflows. */
export interface LatestRequest {
  readonly workflowIds: readonly string[];
  /** Executions of each; 0: the maximum. */
  readonly each: number;
}

/** The newest executions of a workflow, newest first. */
export interface LatestExecutions {
  readonly workflowId: string;
  readonly executions: readonly ShownExecution[];
}

/** Finds the newest executions of each workflow; those without any are omitted. @throws InvalidRequest */
export type ListLatestExecutions = (request: LatestRequest) => Promise<readonly LatestExecutions[]>;

const MAX_WORKFLOWS = 50;
const MAX_EACH = 12;
const MAX_ID_LENGTH = 200;

/** One indexed query for each workflow: a single one would have to read all their executions. */
export const createListLatestExecutions =
  ({ readPage }: Pick<ScopedReads, 'readPage'>): ListLatestExecutions =>
  async ({ workflowIds, each }) => {
    const ids = [...new Set(workflowIds)];
    if (ids.length === 0 || ids.length > MAX_WORKFLOWS || ids.some(({ length }) => length > MAX_ID_LENGTH))
      throw new InvalidRequest('The filter is not valid.', [
        { field: 'workflowIds', message: `must be 1 to ${MAX_WORKFLOWS} ids of workflows, separated by commas` },
      ]);
    if (each > MAX_EACH)
      throw new InvalidRequest('The filter is not valid.', [{ field: 'each', message: `must be 1 to ${MAX_EACH}` }]);
    const found = await Promise.all(
      ids.map(async (workflowId) => {
        const page = await readPage({ workflowId }, each === 0 ? MAX_EACH : each);
        return { workflowId, executions: 'items' in page ? page.items : page };
      }),
    );
    return found.filter(({ executions }) => executions.length > 0);
  };
