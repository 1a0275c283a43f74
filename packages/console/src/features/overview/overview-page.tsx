import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type ExecutionFilters, executionsQuery, namesQuery, slowPollMs, statusQuery, useMay } from '../../api/queries';
import { Icon } from '../../ui/icon';
import { PageHead, Stale } from '../../ui/page';
import { StateLabel } from '../../ui/runs/run-state';
import { ErrorState, Loading, PageState } from '../../ui/states';
import { Ago } from '../../ui/values/time';
import { causeOf, messageOf } from '../executions/execution-facts';
import type { ExecutionSearch } from '../executions/search';
import { Counts } from '../status/status-page';
import { NextSchedules, OpenDeliveries } from './upcoming';

const MAX_SHOWN = 8;

const Runs = ({
  title,
  filters,
  search,
  nothing,
}: {
  title: string;
  filters: ExecutionFilters;
  search: ExecutionSearch;
  nothing: ReactNode;
}) => {
  const list = useInfiniteQuery(executionsQuery(filters));
  const runs = (list.data?.pages[0]?.data ?? []).slice(0, MAX_SHOWN);
  const names = useQuery(namesQuery(runs.map(({ workflowId }) => workflowId))).data;
  return (
    <section className="card" aria-label={title}>
      <div className="cardhead">
        <h2 className="grow">{title}</h2>
        <Stale query={list} />
        <Link className="lnk" to="/executions" search={search}>
          Show all
        </Link>
      </div>
      {list.isPending && <Loading rows={4} label={`Loading: ${title}`} />}
      {list.isError && list.data === undefined && (
        <ErrorState error={list.error} what="the executions" retry={() => void list.refetch()} />
      )}
      {list.data !== undefined && runs.length === 0 && nothing}
      <ul className="runs">
        {runs.map((run) => (
          <li key={run.id}>
            <Link to="/executions/$id" params={{ id: run.id }} search={{}}>
              <StateLabel state={run.state} />
              <span className="grow clip">
                <b>{names?.get(run.workflowId) ?? '…'}</b>
                <span className="soft"> {messageOf(run) ?? causeOf(run.mode)}</span>
              </span>
              <span className="faint">{run.startedAt !== null && <Ago at={run.startedAt} />}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};

const InstanceCounts = () => {
  const status = useQuery({ ...statusQuery, refetchInterval: slowPollMs });
  const counts = status.data?.executions ?? null;
  const away = (status.data?.services ?? []).filter(({ reachable }) => !reachable);
  return (
    <>
      {away.length > 0 && (
        <Link className="st error" to="/status">
          <Icon name="error" />
          {away.map(({ name }) => name).join(', ')}: no response
        </Link>
      )}
      {counts !== null && <Counts counts={counts} />}
    </>
  );
};

/** What needs attention now. */
export const OverviewPage = () => {
  const isManager = useMay('audit:read');
  return (
    <>
      <PageHead title="Overview" />
      <div className="page stack">
        {isManager && <InstanceCounts />}
        <div className="columns">
          <div>
            <Runs
              title="Failed"
              filters={{ status: 'error' }}
              search={{ status: 'error' }}
              nothing={
                <PageState icon="success" tone="neutral" title="Nothing has failed">
                  <p>Failed executions appear here with the reason.</p>
                </PageState>
              }
            />
            <OpenDeliveries />
            <NextSchedules />
          </div>
          <Runs
            title="Latest"
            filters={{}}
            search={{}}
            nothing={
              <PageState icon="runs" tone="neutral" title="No executions yet">
                <p>
                  Start a{' '}
                  <Link to="/workflows" className="lnk">
                    workflow
                  </Link>{' '}
                  to see it run here.
                </p>
              </PageState>
            }
          />
        </div>
      </div>
    </>
  );
};
