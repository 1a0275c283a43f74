import type { WorkflowSummary } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { previewScheduleQuery, useMay } from '../../api/queries';
import { scheduledQuery } from '../../api/schedules';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { PageHead, Stale } from '../../ui/page';
import { PageState } from '../../ui/states';
import { Ago, At } from '../../ui/time';
import { Backfill } from './backfill';

/** Rows shown at once: each reads the schedule of its workflow. */
const STEP = 25;

const Next = ({ id }: { id: string }) => {
  const { data, isError } = useQuery({ ...previewScheduleQuery(id), staleTime: 30_000 });
  if (data === undefined) return <span className="faint">{isError ? 'unknown' : '…'}</span>;
  const [next] = data.next;
  if (next?.dueAt === undefined || next.dueAt === null) return <span className="faint">none</span>;
  return (
    <span title={`${next.localTime} in the time zone of the workflow`}>
      <At at={next.dueAt} /> <span className="faint num">{next.localTime}</span>
    </span>
  );
};

const LastDue = ({ id }: { id: string }) => {
  const { data } = useQuery({ ...previewScheduleQuery(id), staleTime: 30_000 });
  const times = (data?.schedules ?? []).flatMap(({ lastDue }) => lastDue ?? []).sort();
  const last = times.at(-1);
  return last === undefined ? <span className="faint">–</span> : <Ago at={last} />;
};

const Trouble = ({ id }: { id: string }) => {
  const { data } = useQuery({ ...previewScheduleQuery(id), staleTime: 30_000 });
  const trouble = data?.schedules.find((one) => one.trouble !== null)?.trouble;
  if (trouble === undefined || trouble === null) return null;
  return (
    <span className="st error wraps">
      <Icon name="error" />
      {trouble.message}
    </span>
  );
};

/** Active schedules of all workflows, and backfills of their past due times. */
export const SchedulesPage = () => {
  const list = useQuery(scheduledQuery);
  const mayWrite = useMay('workflows:write');
  const [shown, setShown] = useState(STEP);
  const [opened, open] = useState<WorkflowSummary>();
  const columns: readonly Column<WorkflowSummary>[] = [
    {
      title: 'Workflow',
      className: 'w',
      cell: ({ id, name }) => (
        <Link to="/workflows/$id" params={{ id }} className="clip block" title={name}>
          <b>{name}</b>
        </Link>
      ),
    },
    { title: 'Next', cell: ({ id }) => <Next id={id} /> },
    { title: 'Last due', cell: ({ id }) => <LastDue id={id} /> },
    { title: 'Problem', className: 'wrapcell', cell: ({ id }) => <Trouble id={id} /> },
    {
      title: 'Backfill',
      isBare: true,
      className: 'rowacts',
      cell: (workflow) =>
        mayWrite && (
          <button
            type="button"
            className="btn sm"
            aria-label={`Backfill ${workflow.name}`}
            onClick={() => open(workflow)}
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
          rows={list.data?.slice(0, shown)}
          what="the schedules"
          label="Schedules"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <PageState icon="calendar" tone="neutral" title="No active schedules">
              <p>Active workflows with a schedule trigger appear here with their next due time.</p>
            </PageState>
          }
        />
        {(list.data?.length ?? 0) > shown && (
          <div className="foot">
            <span className="grow" />
            <button type="button" className="btn" onClick={() => setShown(shown + STEP)}>
              Show more
            </button>
          </div>
        )}
      </div>
      {opened !== undefined && <Backfill workflow={opened} close={() => open(undefined)} />}
    </>
  );
};
