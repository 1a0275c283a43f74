import type { Execution } from '@weft/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type ExecutionFilters, executionsQuery, namesQuery, useMay } from '../../api/queries';
import { MAX_SELECTED } from '../../ui/act-on-all';
import { Check } from '../../ui/check';
import { formatCount, formatDuration } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { LoadMore, PageHead, Stale } from '../../ui/page';
import { durationOf, StateLabel } from '../../ui/runs/run-state';
import { ErrorState, Loading, PageState } from '../../ui/states';
import { Ago, At, Elapsed } from '../../ui/values/time';
import { BulkActions } from './bulk-actions';
import { causeOf, failedNodeOf, lastNodeOf, messageOf } from './execution-facts';
import { FilterBar } from './filter-bar';
import { RetryAll, type RetryFilter } from './retry-job';
import { type ExecutionSearch, PERIODS } from './search';

const route = getRouteApi('/executions');

/** The filters of the API. A period starts when it is chosen, so that all pages have the same filter. */
const useFilters = (search: ExecutionSearch, now: number): ExecutionFilters => {
  const { status, workflow, mode, period, reason, data, project, parent } = search;
  return useMemo(
    () => ({
      ...(status === undefined ? {} : { status }),
      ...(workflow === undefined ? {} : { workflowId: workflow }),
      ...(mode === undefined ? {} : { mode }),
      ...(period === undefined ? {} : { from: new Date(now - PERIODS[period]).toISOString() }),
      ...(reason === undefined ? {} : { reason }),
      ...(data === undefined ? {} : { customData: data }),
      ...(project === undefined ? {} : { projectId: project }),
      ...(parent === undefined ? {} : { parentExecutionId: parent }),
    }),
    [status, workflow, mode, period, reason, data, project, parent, now],
  );
};

/** The filter of a retry job that matches the same executions; undefined if there is none. */
const retryFilterOf = ({
  mode,
  customData,
  projectId,
  parentExecutionId,
  status,
  ...filters
}: ExecutionFilters): RetryFilter | undefined => {
  if (status !== 'error' || [mode, customData, projectId, parentExecutionId].some((one) => one !== undefined))
    return undefined;
  const { workflowId, reason, from } = filters;
  if (reason?.includes(',') === true) return undefined;
  return {
    status,
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(reason === undefined ? {} : { reason }),
    ...(from === undefined ? {} : { from }),
  };
};

const Duration = ({ execution }: { execution: Execution }) => {
  const ms = durationOf(execution);
  if (ms !== undefined) return <>{formatDuration(ms)}</>;
  return execution.startedAt === null ? null : <Elapsed since={execution.startedAt} />;
};

/** The error and where it happened; or the last node. */
const Outcome = ({ execution }: { execution: Execution }) => {
  const message = messageOf(execution);
  const node = failedNodeOf(execution) ?? lastNodeOf(execution);
  return (
    <span className="outcome clip" title={message}>
      {node !== undefined && <span className="soft">{node}</span>}
      {node !== undefined && message !== undefined && ': '}
      {message}
    </span>
  );
};

const CustomData = ({ execution: { customData = {} } }: { execution: Execution }) =>
  Object.entries(customData)
    .slice(0, 2)
    .map(([name, value]) => (
      <span key={name} className="tag clip" title={`${name}: ${String(value)}`}>
        {name} <code>{String(value)}</code>
      </span>
    ));

interface RowProps {
  readonly execution: Execution;
  readonly name: string;
  readonly isSelected: boolean;
  readonly select: (isOn: boolean) => void;
}

const Row = ({
  execution,
  name,
  isSelected,
  select,
  isSelectable,
  hasCustomData,
}: RowProps & { isSelectable: boolean; hasCustomData: boolean }) => (
  <tr className={isSelected ? 'sel' : undefined}>
    {isSelectable && (
      <td className="checkcell">
        <Check isOn={isSelected} label={`Select ${name}, ${execution.id}`} change={select} />
      </td>
    )}
    <td>
      <Link className="rowlink" to="/executions/$id" params={{ id: execution.id }} search={{}}>
        <StateLabel state={execution.state} />
      </Link>
    </td>
    <td className="w2">
      <Link className="clip block" to="/executions/$id" params={{ id: execution.id }} search={{}} title={name}>
        <b>{name}</b>
      </Link>
    </td>
    <td>{execution.startedAt !== null && <At at={execution.startedAt} />}</td>
    <td className="r">
      <Duration execution={execution} />
    </td>
    <td className="soft">{causeOf(execution.mode)}</td>
    <td className="w3">
      <Outcome execution={execution} />
    </td>
    {hasCustomData && (
      <td>
        <span className="tags">
          <CustomData execution={execution} />
        </span>
      </td>
    )}
  </tr>
);

const Card = ({ execution, name }: Pick<RowProps, 'execution' | 'name'>) => (
  <li>
    <Link className="wcard" to="/executions/$id" params={{ id: execution.id }} search={{}}>
      <span className="line">
        <b className="grow clip">{name}</b>
        <StateLabel state={execution.state} />
      </span>
      <span className="line soft">
        <span className="grow">{execution.startedAt !== null && <Ago at={execution.startedAt} />}</span>
        <Duration execution={execution} />
      </span>
      <Outcome execution={execution} />
    </Link>
  </li>
);

/** The list of executions. */
export const ExecutionsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [now, setNow] = useState(() => Date.now());
  const filters = useFilters(search, now);
  const list = useInfiniteQuery(executionsQuery(filters));
  const mayWrite = useMay('executions:write');
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const [isRetryingAll, setRetryingAll] = useState(false);
  const executions = (list.data?.pages ?? []).flatMap(({ data }) => data);
  const names = useQuery(namesQuery([...new Set(executions.map(({ workflowId }) => workflowId))].sort())).data;
  const selected = executions.filter(({ id }) => selectedIds.has(id));
  const hasCustomData = executions.some(({ customData }) => customData !== undefined);
  const retryFilter = retryFilterOf(filters);
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  const change = (changes: Partial<ExecutionSearch>): void => {
    setSelectedIds(new Set());
    setNow(Date.now());
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  };
  const select = (id: string, isOn: boolean): void => {
    const next = new Set(selected.map((one) => one.id));
    if (!isOn) next.delete(id);
    else if (next.size < MAX_SELECTED) next.add(id);
    setSelectedIds(next);
  };
  const nameOf = ({ workflowId }: Execution): string =>
    names?.get(workflowId) ?? (names === undefined ? '…' : 'Deleted workflow');
  return (
    <>
      <PageHead title="Executions">
        <span className="grow" />
        <Stale query={list} />
        {mayWrite && retryFilter !== undefined && executions.length > 0 && (
          <button type="button" className="btn" onClick={() => setRetryingAll(true)}>
            <Icon name="retry" />
            Retry all<span className="only-wide"> matching</span>
          </button>
        )}
      </PageHead>
      <div className="page">
        <FilterBar search={search} change={change} />
        {selected.length > 0 && <BulkActions selected={selected} clear={() => setSelectedIds(new Set())} />}
        {list.isPending && <Loading label="Loading executions" />}
        {list.isError && list.data === undefined && (
          <ErrorState error={list.error} what="the executions" retry={() => void list.refetch()} />
        )}
        {list.data !== undefined && executions.length === 0 && !list.hasNextPage && (
          <PageState
            icon={isFiltered ? 'search' : 'runs'}
            tone="neutral"
            title={isFiltered ? 'No execution matches' : 'No executions yet'}
            actions={
              isFiltered && (
                <button type="button" className="btn" onClick={() => void navigate({ search: {} })}>
                  Clear the filters
                </button>
              )
            }
          >
            <p>
              {isFiltered
                ? 'Ended executions are deleted when their retention ends.'
                : 'Executions appear here with their data when a trigger fires or a workflow is started.'}
            </p>
          </PageState>
        )}
        {executions.length > 0 && (
          <>
            <section className="card only-wide scrolls" aria-label="Executions" tabIndex={0}>
              <table className="table">
                <thead>
                  <tr>
                    {mayWrite && (
                      <th className="checkcell">
                        <Check
                          isOn={selected.length === Math.min(MAX_SELECTED, executions.length)}
                          isMixed={selected.length > 0 && selected.length < Math.min(MAX_SELECTED, executions.length)}
                          label="Select all that are shown"
                          change={(isOn) =>
                            setSelectedIds(new Set(isOn ? executions.slice(0, MAX_SELECTED).map(({ id }) => id) : []))
                          }
                        />
                      </th>
                    )}
                    <th>State</th>
                    <th>Workflow</th>
                    <th>Started</th>
                    <th className="r">Took</th>
                    <th>Started by</th>
                    <th>Last node, error</th>
                    {hasCustomData && <th>Custom data</th>}
                  </tr>
                </thead>
                <tbody>
                  {executions.map((execution) => (
                    <Row
                      key={execution.id}
                      execution={execution}
                      name={nameOf(execution)}
                      isSelectable={mayWrite}
                      hasCustomData={hasCustomData}
                      isSelected={selectedIds.has(execution.id)}
                      select={(isOn) => select(execution.id, isOn)}
                    />
                  ))}
                </tbody>
              </table>
            </section>
            <ul className="card only-narrow" aria-label="Executions">
              {executions.map((execution) => (
                <Card key={execution.id} execution={execution} name={nameOf(execution)} />
              ))}
            </ul>
          </>
        )}
        <div className="foot">
          {executions.length > 0 && <span className="faint num">{formatCount(executions.length)} shown</span>}
          <span className="grow" />
          <LoadMore list={list} />
        </div>
      </div>
      {isRetryingAll && retryFilter !== undefined && (
        <RetryAll filter={retryFilter} close={() => setRetryingAll(false)} />
      )}
    </>
  );
};
