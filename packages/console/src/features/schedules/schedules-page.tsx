import type { WorkflowSchedule } from '@weft/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { entriesOf } from '../../api/lists';
import { schedulesQuery } from '../../api/operate';
import { namesQuery, pollMs, useMay } from '../../api/queries';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { PageHead, Stale } from '../../ui/page';
import { PageState } from '../../ui/states';
import { Ago, At } from '../../ui/values/time';
import { Backfill } from './backfill';

const Next = ({ nextAt, timezone }: WorkflowSchedule) =>
  nextAt === null ? (
    <span className="faint">none</span>
  ) : (
    <span title={`Calculated in the time zone ${timezone}`}>
      <At at={nextAt} /> <span className="faint">{timezone}</span>
    </span>
  );

const LastDue = ({ lastDue }: WorkflowSchedule) =>
  lastDue === null ? <span className="faint">–</span> : <Ago at={lastDue} />;

const Trouble = ({ trouble }: WorkflowSchedule) =>
  trouble !== null && (
    <span className="st error wraps">
      <Icon name="error" />
      {trouble.message}
    </span>
  );

/** Schedules of all active workflows, and backfills of their past due times. */
export const SchedulesPage = () => {
  const list = useInfiniteQuery({ ...schedulesQuery, refetchInterval: pollMs });
  const rows = entriesOf(list.data);
  const names = useQuery(namesQuery((rows ?? []).map(({ workflowId }) => workflowId))).data;
  const mayWrite = useMay('workflows:write');
  const [opened, open] = useState<{ readonly id: string; readonly name: string }>();
  const nameOf = ({ workflowId }: WorkflowSchedule): string => names?.get(workflowId) ?? '…';
  const columns: readonly Column<WorkflowSchedule>[] = [
    {
      title: 'Workflow',
      className: 'w',
      cell: (schedule) => (
        <Link
          to="/workflows/$id"
          params={{ id: schedule.workflowId }}
          className="clip block"
          title={`${nameOf(schedule)}: ${schedule.node}`}
        >
          <b>{nameOf(schedule)}</b> <span className="soft">{schedule.node}</span>
        </Link>
      ),
    },
    { title: 'Next', cell: Next },
    { title: 'Last due', cell: LastDue },
    { title: 'Problem', className: 'wrapcell', cell: Trouble },
    {
      title: 'Backfill',
      isBare: true,
      className: 'rowacts',
      cell: (schedule) =>
        mayWrite && (
          <button
            type="button"
            className="btn sm"
            aria-label={`Backfill ${nameOf(schedule)}`}
            onClick={() => open({ id: schedule.workflowId, name: nameOf(schedule) })}
          >
            Backfill
          </button>
        ),
    },
  ];
  return (
    <>
      <PageHead title="Schedules">
        <span className="grow" />
        <Stale query={list} />
      </PageHead>
      <div className="page">
        <RecordList
          query={list}
          rows={rows}
          what="the schedules"
          label="Schedules"
          columns={columns}
          keyOf={({ workflowId, node }) => `${workflowId} ${node}`}
          empty={
            <PageState icon="calendar" tone="neutral" title="No active schedules">
              <p>Active workflows with a schedule trigger appear here with their next due time.</p>
            </PageState>
          }
        />
      </div>
      {opened !== undefined && <Backfill workflow={opened} close={() => open(undefined)} />}
    </>
  );
};
