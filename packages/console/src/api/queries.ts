import { type Args, WeftError, type WorkflowSummary } from '@weft/client';
import { infiniteQueryOptions, keepPreviousData, QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { memberOf } from '../ui/values/json';
import { callPage, personOf, weft } from './client';
import { pagedQuery } from './lists';

/** Interval at which visible lists are read again. */
const POLL_MS = 3_000;
/** Interval for what accompanies a screen and rarely changes. */
const SLOW_POLL_MS = 15_000;
/** Longest pause while the server cannot be reached. */
const MAX_POLL_MS = 30_000;
/** Entries of a page of the longest lists. */
const PAGE = 25;

/** Errors that a repetition may cure. */
const mayPass = (error: unknown): boolean =>
  error instanceof WeftError && (error.status === 0 || error.status === 429 || error.status === 503);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 1_000,
      gcTime: 300_000,
      retry: (failures, error) => failures < 1 && mayPass(error),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

interface Polled {
  readonly state: { readonly fetchFailureCount: number; readonly error: unknown };
}

/** An interval while all is well, then more and more rarely, up to 30 s. */
const every =
  (intervalMs: number) =>
  ({ state: { error, fetchFailureCount } }: Polled): number | false => {
    if (error !== null && !mayPass(error)) return false;
    return Math.min(MAX_POLL_MS, intervalMs * 2 ** Math.min(5, error === null ? 0 : 1 + fetchFailureCount));
  };

/** For lists: every 3 s while all is well. */
export const pollMs = every(POLL_MS);

/** For what accompanies a screen: every 15 s while all is well. */
export const slowPollMs = every(SLOW_POLL_MS);

/** The signed-in person; null without a session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => personOf(await callPage('GET', '/session')),
});

/** Whether this instance still lacks an owner. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  staleTime: 0,
  queryFn: async () => memberOf(await callPage('GET', '/setup'), 'open') === true,
});

/** Label of the identity provider; null without one. */
export const providerQuery = queryOptions({
  queryKey: ['provider'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => {
    const label = memberOf(await callPage('GET', '/provider'), 'label');
    return typeof label === 'string' ? label : null;
  },
});

/** The caller with role, projects and release. */
export const callerQuery = queryOptions({
  queryKey: ['caller'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => (await weft.call('getCaller', { signal })).data,
});

/** True if the caller may do something; false until it is known. */
export const useMay = (permission: string): boolean =>
  useQuery(callerQuery).data?.permissions.includes(permission) ?? false;

/** Filters of the list of workflows, as in its address. */
export interface WorkflowFilters {
  readonly search?: string;
  readonly active?: boolean;
  readonly projectId?: string;
}

export const workflowsQuery = (filters: WorkflowFilters) =>
  infiniteQueryOptions({
    ...pagedQuery(
      ['workflows', filters],
      (page, signal) => weft.call('listWorkflows', { query: { ...filters, ...page, summary: true }, signal }),
      PAGE,
    ),
    refetchInterval: pollMs,
  });

export const workflowQuery = (id: string) =>
  queryOptions({
    queryKey: ['workflow', id],
    queryFn: async ({ signal }) => (await weft.call('getWorkflow', { path: { id }, signal })).data,
  });

/** Name, version and activity of a workflow; null if it is gone or hidden. */
export const workflowSummaryQuery = (id: string) =>
  queryOptions({
    queryKey: ['workflows', 'summary', id],
    queryFn: async ({ signal }) => {
      const { data } = await weft.call('listWorkflows', { query: { ids: id, summary: true, limit: 1 }, signal });
      return data.find((entry): entry is WorkflowSummary => 'etag' in entry && 'ownerId' in entry) ?? null;
    },
  });

/** Filters of the list of executions that the API has. */
export type ExecutionFilters = Omit<NonNullable<Args<'listExecutions'>['query']>, 'limit' | 'cursor' | 'includeData'>;

export const executionsQuery = (filters: ExecutionFilters) =>
  infiniteQueryOptions({
    ...pagedQuery(
      ['executions', filters],
      (page, signal) => weft.call('listExecutions', { query: { ...filters, ...page }, signal }),
      PAGE,
    ),
    refetchInterval: pollMs,
  });

/** Children that are shown with their parent. */
const CHILDREN = 4;

/** The newest executions that an execution has called. @param isLive true while it may call others */
export const childrenQuery = (id: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['executions', 'children', id],
    queryFn: ({ signal }) => weft.call('listExecutions', { query: { parentExecutionId: id, limit: CHILDREN }, signal }),
    refetchInterval: isLive ? pollMs : false,
  });

export const executionQuery = (id: string) =>
  queryOptions({
    queryKey: ['execution', id],
    queryFn: async ({ signal }) =>
      (await weft.call('getExecution', { path: { id }, query: { includeData: false }, signal })).data,
  });

/** The definition that an execution runs; it never changes. */
export const versionQuery = (workflowId: string, versionId: string) =>
  queryOptions({
    queryKey: ['version', workflowId, versionId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await weft.call('getWorkflowVersion', { path: { id: workflowId, versionId }, signal })).data,
  });

/** Stored versions of a workflow, newest first. */
export const versionsQuery = (id: string) =>
  pagedQuery(
    ['versions', id],
    (page, signal) => weft.call('listWorkflowVersions', { path: { id }, query: page, signal }),
    PAGE,
  );

/** Due times of a workflow as it is stored. */
export const previewScheduleQuery = (id: string) =>
  queryOptions({
    queryKey: ['schedule', id],
    queryFn: async ({ signal }) =>
      (await weft.call('previewSchedule', { path: { id }, query: { count: 20 }, signal })).data,
  });

/** All node types by kind. */
export const nodeTypesQuery = queryOptions({
  queryKey: ['node-types'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const { data } = await weft.call('listNodeTypes', { signal });
    return new Map(data.map((type) => [type.kind, type]));
  },
});

export const nodeRunQuery = (id: string, executionIndex: number) =>
  queryOptions({
    queryKey: ['node-run', id, executionIndex],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await weft.call('getNodeRun', { path: { id, executionIndex: String(executionIndex) }, signal })).data,
  });

/** Items of a page in the inspector. */
export const ITEMS_PAGE = 50;

export const itemsQuery = (id: string, executionIndex: number, output: number, page: number) =>
  queryOptions({
    queryKey: ['items', id, executionIndex, output, page],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      weft.call('listItems', {
        path: { id, executionIndex: String(executionIndex) },
        query: { output, offset: page * ITEMS_PAGE, limit: ITEMS_PAGE },
        signal,
      }),
  });

export const retryJobQuery = (id: string) =>
  queryOptions({
    queryKey: ['retry-job', id],
    queryFn: async ({ signal }) => (await weft.call('getRetryJob', { path: { id }, signal })).data,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.state === 'running' ? 1_000 : false),
  });

/** Reads a list of ids in several requests. @param most ids of one request */
const readInParts = <Part>(ids: readonly string[], most: number, read: (ids: string) => Promise<Part>) =>
  Promise.all(
    Array.from({ length: Math.ceil(ids.length / most) }, (_, part) =>
      read(ids.slice(part * most, (part + 1) * most).join(',')),
    ),
  );

/** The newest executions of the workflows of a list. */
export const latestQuery = (workflowIds: readonly string[]) =>
  queryOptions({
    queryKey: ['latest', workflowIds],
    enabled: workflowIds.length > 0,
    queryFn: async ({ signal }) => {
      const parts = await readInParts(workflowIds, 50, (ids) =>
        weft.call('listLatestExecutions', { query: { workflowIds: ids }, signal }),
      );
      return new Map(parts.flatMap(({ data }) => Object.entries(data)));
    },
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });

/** Names of workflows by id, to show in lists; those that are gone are missing. @param given ids, also repeated ones */
export const namesQuery = (given: Iterable<string>) => {
  const ids = [...new Set(given)].sort();
  return queryOptions({
    queryKey: ['names', ids],
    enabled: ids.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const parts = await readInParts(ids, 100, (some) =>
        weft.call('listWorkflows', { query: { ids: some, summary: true, limit: 100 }, signal }),
      );
      return new Map(parts.flatMap(({ data }) => data.map(({ id, name }) => [id, name] as const)));
    },
  });
};

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async ({ signal }) => (await weft.call('getStatus', { signal })).data,
  refetchInterval: pollMs,
});
