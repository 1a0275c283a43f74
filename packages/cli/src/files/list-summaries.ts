import type { Weft, WorkflowSummary } from '@weft/client';

/** Which workflows of a set or project a command is about. */
export interface Filter {
  readonly set?: string;
  readonly projectId?: string;
}

/** Parameters of the list of workflows. */
type Query = Filter & { readonly key?: string; readonly search?: string; readonly active?: boolean };

/** Entries of a list with `summary=true`: without definitions. */
const isSummary = (entry: object): entry is WorkflowSummary => 'versionId' in entry && 'etag' in entry;

/** Summaries of these workflows, at most `limit`. */
export const listSummaries = async (
  weft: Weft,
  query: Query,
  limit = Infinity,
): Promise<readonly WorkflowSummary[]> => {
  const found: WorkflowSummary[] = [];
  for await (const entry of weft.pages('listWorkflows', { query: { summary: true, ...query } })) {
    if (found.length >= limit) break;
    if (isSummary(entry)) found.push(entry);
  }
  return found;
};
