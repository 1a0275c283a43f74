import type { ListWorkflowsResponse } from '@weft/proto/workflows';
import { readPage } from '@weft/service-kit/paging';
import type { WorkflowStore } from './ports';
import type { ViewWorkflows } from './view-workflow';
import type { WorkflowSummary } from './workflow';

/**
 * Pages through workflows, newest first; pages stay right while workflows come and go. A page may be shorter than asked
 * for, so that it fits into one message: only an empty cursor means the end.
 * @throws InvalidRequest for a limit above 100 or a cursor of other making.
 */
export type ListWorkflows = (limit: number, cursor: string) => Promise<ListWorkflowsResponse>;

/** Most bytes of definitions in one page, the first one not counted: well below the largest message. */
const MAX_PAGE_BYTES = 4_000_000;

const thatFit = (workflows: readonly WorkflowSummary[]): readonly WorkflowSummary[] => {
  let bytes = 0;
  const end = workflows.findIndex((workflow, index) => {
    if (index > 0) bytes += workflow.definitionBytes;
    return bytes > MAX_PAGE_BYTES;
  });
  return end < 0 ? workflows : workflows.slice(0, end);
};

/** Pages by keyset, over the ids. */
export const createListWorkflows =
  (store: Pick<WorkflowStore, 'page'>, view: ViewWorkflows): ListWorkflows =>
  async (limit, cursor) => {
    const source = { read: store.page, idOf: ({ id }: WorkflowSummary) => id, fit: thatFit };
    const { items, nextCursor } = await readPage(source, { limit, cursor });
    return { workflows: await view(items), nextCursor };
  };
