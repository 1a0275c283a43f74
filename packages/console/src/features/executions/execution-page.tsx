import type { Execution } from '@weft/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type LiveRun, useLiveRun } from '../../api/live';
import { executionQuery, nodeTypesQuery, useMay, versionQuery, workflowQuery } from '../../api/queries';
import { openNodes } from '../../app/open-nodes';
import { plural } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { isTerminal, wordOf } from '../../ui/runs/run-state';
import { ErrorState, Loading, PageState } from '../../ui/states';
import { readGraph } from '../graph/definition';
import { typeOfKind } from '../graph/kinds';
import { GraphView } from '../graph/graph-view';
import { Approvals } from './approvals';
import { EventList } from './event-list';
import { ExecutionHead, Facts } from './execution-head';
import { failedNodeOf, lastNodeOf, messageOf } from './execution-facts';
import { Inspector } from './inspector/inspector';
import { RetryButton } from './retry-menu';
import { marksOf, rowsOf } from './run-model';
import { atNodeRun, type InspectorSearch } from './search';
import { Timeline } from './timeline';

const route = getRouteApi('/executions/$id');

/** A value that changes at most once in an interval. */
const useThrottled = <Value,>(value: Value, ms: number): Value => {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(value), ms);
    return () => window.clearTimeout(timer);
  }, [value, ms]);
  return shown;
};

/** Says changes of state to screen readers, at most once a second. */
const Announcer = ({ execution, nodeRuns }: { execution: Execution; nodeRuns: number }) => (
  <p className="sr" role="status">
    {useThrottled(`${wordOf(execution.state)}, ${plural(nodeRuns, 'node run')}`, 1_000)}
  </p>
);

const Connection = ({ run: { connection } }: { run: LiveRun }) => {
  if (connection === 'live')
    return (
      <span className="st running">
        <Icon name="runs" />
        Live
      </span>
    );
  return connection === 'stale' ? (
    <span className="st waiting" role="status">
      <Icon name="offline" />
      Reconnecting
    </span>
  ) : null;
};

/** Why a run failed outside of a node, such as a time limit or a crash. */
const RunError = ({ execution }: { execution: Execution }) => {
  const message = messageOf(execution);
  if (message === undefined || failedNodeOf(execution) !== undefined) return null;
  return (
    <div className="banner error" role="alert">
      <Icon name="error" />
      {message}
    </div>
  );
};

const Screen = ({ execution, run }: { execution: Execution; run: LiveRun }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isClosed, setClosed] = useState(false);
  const { workflowId, versionId = '' } = execution;
  const types = useQuery(nodeTypesQuery).data;
  const version = useQuery({ ...versionQuery(workflowId, versionId), enabled: versionId !== '' });
  const workflow = useQuery(workflowQuery(workflowId));
  const mayWrite = useMay('executions:write');
  const graph = useMemo(
    () => (version.data === undefined ? undefined : readGraph(version.data.definition, types)),
    [version.data, types],
  );
  const waitsAt = execution.state === 'waiting' ? lastNodeOf(execution) : undefined;
  const rows = useMemo(() => rowsOf(run, waitsAt), [run, waitsAt]);
  const marks = useMemo(() => marksOf(graph ?? { edges: [] }, rows), [graph, rows]);
  const failed = failedNodeOf(execution);
  const shown = search.node ?? (isClosed ? undefined : failed);
  const change = useCallback(
    (changes: Partial<InspectorSearch>) =>
      void navigate({ search: (before) => ({ ...before, ...changes }), replace: true, resetScroll: false }),
    [navigate],
  );
  const open = useCallback(
    (node: string, at?: number) => {
      setClosed(false);
      change(atNodeRun(node, at));
    },
    [change],
  );
  const openNode = useCallback((node: string) => open(node), [open]);
  useEffect(() => {
    openNodes.set({ names: graph?.nodes.map((one) => one.name) ?? [], open: openNode });
    return () => openNodes.set(undefined);
  }, [graph, openNode]);
  const runs = rows.filter(({ node }) => node === shown);
  const openRun =
    shown === undefined
      ? undefined
      : (search.run ?? runs.find(({ state }) => state === 'error')?.run ?? runs.at(-1)?.run ?? 0);
  const node = graph?.nodes.find(({ name }) => name === shown);
  const name = graph?.name ?? workflow.data?.name ?? 'Execution';
  return (
    <>
      <ExecutionHead execution={execution} name={name === '' ? 'Unnamed workflow' : name} rows={rows} node={shown} />
      <Facts execution={execution} progress={run.progress} />
      <RunError execution={execution} />
      <Approvals execution={execution} />
      <Announcer execution={execution} nodeRuns={rows.length} />
      <div className={`xgrid${shown === undefined ? ' wide' : ''}`}>
        {graph !== undefined && graph.nodes.length > 0 ? (
          <GraphView
            graph={graph}
            types={types}
            marks={marks}
            opened={shown}
            open={openNode}
            label={`Graph of the version that ran, ${plural(graph.nodes.length, 'node')}`}
          />
        ) : (
          <section className="canvas" aria-label="Graph">
            {version.isError ? (
              <ErrorState error={version.error} what="the version that ran" retry={() => void version.refetch()} />
            ) : (
              version.isPending && versionId !== '' && <Loading rows={3} label="Loading the graph" />
            )}
          </section>
        )}
        <section className="tl" aria-label="Course of the run">
          <header className="dh">
            <div className="seg" role="group" aria-label="View">
              <button
                type="button"
                aria-pressed={search.list === undefined}
                onClick={() => change({ list: undefined })}
              >
                Timeline <span className="count">{rows.length}</span>
              </button>
              <button type="button" aria-pressed={search.list === 'events'} onClick={() => change({ list: 'events' })}>
                Events <span className="count">{run.events.length}</span>
              </button>
            </div>
            <span className="grow" />
            {!isTerminal(execution.state) && <Connection run={run} />}
          </header>
          {search.list === 'events' ? (
            <EventList events={run.events} />
          ) : run.connection === 'connecting' && rows.length === 0 ? (
            <Loading rows={3} label="Loading the node runs" />
          ) : (
            <Timeline
              rows={rows}
              execution={execution}
              graph={graph}
              opened={shown === undefined || openRun === undefined ? undefined : { node: shown, run: openRun }}
              open={open}
            />
          )}
        </section>
        {shown !== undefined && (
          <Inspector
            execution={execution}
            name={shown}
            node={node}
            type={typeOfKind(types, node?.kind ?? '')}
            types={types}
            graph={graph}
            runs={runs}
            rows={rows}
            search={search}
            change={change}
            close={() => {
              setClosed(true);
              change({
                node: undefined,
                run: undefined,
                tab: undefined,
                output: undefined,
                page: undefined,
                item: undefined,
              });
            }}
            retry={
              mayWrite && isTerminal(execution.state) && shown === failed ? (
                <RetryButton execution={execution} rows={rows} label="Retry from here" className="btn sm" />
              ) : undefined
            }
          />
        )}
      </div>
    </>
  );
};

/** The error of an execution that cannot be read, also while it is read again, so that the page does not flicker. */
const useLastError = (id: string, error: Error | null): Error | null => {
  const [last, setLast] = useState<{ readonly id: string; readonly error: Error }>();
  if (error !== null && (last?.id !== id || last.error !== error)) setLast({ id, error });
  return error ?? (last?.id === id ? last.error : null);
};

/** One execution, live: graph, times, data. */
export const ExecutionPage = () => {
  const { id } = route.useParams();
  const query = useQuery({ ...executionQuery(id), placeholderData: keepPreviousData });
  const run = useLiveRun(id);
  const error = useLastError(id, query.error);
  if (run.connection === 'deleted')
    return (
      <PageState
        isPage
        icon="trash"
        tone="neutral"
        title="This execution was deleted"
        actions={
          <Link className="btn" to="/executions" search={{}}>
            Show executions
          </Link>
        }
      >
        <p>It was deleted while you looked at it, or its retention ended.</p>
      </PageState>
    );
  if (query.data === undefined || (query.isPlaceholderData && query.data.id !== id))
    return error !== null ? (
      <ErrorState
        isPage
        error={error}
        what="this execution"
        retry={() => void query.refetch()}
        next={
          <Link className="btn" to="/executions" search={{}}>
            Show executions
          </Link>
        }
      />
    ) : (
      <Loading label="Loading the execution" />
    );
  // The stream is newer than the read, except after its end.
  const live = run.progress?.execution;
  const execution = live !== undefined && !isTerminal(query.data.state) ? { ...query.data, ...live } : query.data;
  return <Screen key={id} execution={execution} run={run} />;
};
