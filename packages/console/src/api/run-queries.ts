import type { ExecutionEvent, ExecutionProgress, NodeRun } from '@weft/client';
import { queryOptions } from '@tanstack/react-query';
import { weft } from './client';
import { nodeRunQuery, queryClient } from './queries';

/** Pages of events that are read of one execution: 10,000 node runs. */
const MAX_PAGES = 10;
const PAGE = 1_000;
const POLL_MS = 1_500;

/** The stored events of an execution. */
export interface StoredRun {
  readonly events: readonly ExecutionEvent[];
  readonly progress: ExecutionProgress;
  readonly isComplete: boolean;
}

/** The node runs of an execution; read again until it has ended. */
export const storedRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['stored-run', id],
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<StoredRun> => {
      const events: ExecutionEvent[] = [];
      for (let pages = 1; ; pages += 1) {
        const after = events.at(-1)?.sequence ?? 0;
        const page = await weft.call('listExecutionEvents', { path: { id }, query: { after, limit: PAGE }, signal });
        events.push(...page.data);
        if (page.data.length < PAGE || pages >= MAX_PAGES)
          return { events, progress: page.progress, isComplete: page.complete };
      }
    },
    refetchInterval: ({ state }) => (state.data === undefined || state.data.isComplete ? false : POLL_MS),
  });

/** Node runs whose records are read to follow items back. */
const MAX_RECORDS = 60;

/** Where to begin to follow items back: a node run, or those that fill the inputs of a node that has not run. */
export type Origin = readonly number[];

/**
 * The records of node runs and of all that led to them, nearest first.
 * @param indexOf the position of a node run; undefined if it is not stored
 */
export const upstreamRunsQuery = (
  id: string,
  origin: Origin,
  indexOf: (node: string, run: number) => number | undefined,
) =>
  queryOptions({
    queryKey: ['upstream-runs', id, origin],
    enabled: origin.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<readonly NodeRun[]> => {
      const found = new Map<number, NodeRun>();
      let layer = [...new Set(origin)];
      while (layer.length > 0 && found.size < MAX_RECORDS) {
        const wanted = layer.filter((index) => !found.has(index)).slice(0, MAX_RECORDS - found.size);
        const records = await Promise.all(wanted.map((index) => queryClient.fetchQuery(nodeRunQuery(id, index))));
        for (const record of records) found.set(record.executionIndex, record);
        const sources = records.flatMap(({ source = [] }) => source).filter((source) => source !== null);
        const next = sources.map(({ previousNode, previousNodeRun = 0 }) => indexOf(previousNode, previousNodeRun));
        layer = [...new Set(next)].filter((index) => index !== undefined).filter((index) => !found.has(index));
      }
      return [...found.values()];
    },
  });
