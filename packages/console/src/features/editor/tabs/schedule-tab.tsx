import type { SchedulePreview } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { previewScheduleQuery, slowPollMs } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { ErrorState, Loading, PageState } from '../../../ui/states';
import { Ago, At } from '../../../ui/values/time';
import { useEditor } from '../editor-context';
import { Registrations } from './registrations';

const Schedules = ({ active, schedules, next }: Pick<SchedulePreview, 'active' | 'schedules' | 'next'>) => (
  <>
    {!active && (
      <p className="notice" role="status">
        <Icon name="alert" />
        The workflow is inactive. These are the times at which it would run.
      </p>
    )}
    <h2>Schedules</h2>
    <section className="card scrolls" aria-label="Schedules" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th>Node</th>
            <th>Time zone</th>
            <th>Next</th>
            <th>Last due</th>
            <th>Missed times</th>
            <th>While running</th>
          </tr>
        </thead>
        <tbody>
          {schedules.map((schedule) => (
            <tr key={schedule.node}>
              <td>
                <b>{schedule.node}</b>
                {schedule.trouble !== null && (
                  <p className="st error wraps">
                    <Icon name="error" />
                    {schedule.trouble.message}
                  </p>
                )}
                {typeof schedule.trouble?.retryAt === 'string' && (
                  <p className="faint">
                    Next attempt: <At at={schedule.trouble.retryAt} />
                  </p>
                )}
              </td>
              <td>{schedule.timezone}</td>
              <td>{schedule.nextAt !== null && <At at={schedule.nextAt} />}</td>
              <td>{schedule.lastDue !== null && <Ago at={schedule.lastDue} />}</td>
              <td>{schedule.missed}</td>
              <td>{schedule.overlap}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
    <h2>Next due times</h2>
    <section className="card scrolls" aria-label="Next due times" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th>Local time of the workflow</th>
            <th>Your time</th>
            <th>Node</th>
          </tr>
        </thead>
        <tbody>
          {next.map(({ node, dueAt, localTime }) => (
            <tr key={`${node} ${localTime}`}>
              <td className="num">{localTime}</td>
              <td>{dueAt !== null && <At at={dueAt} />}</td>
              <td>{node}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </>
);

/** Due times and registrations of the triggers of the saved workflow. */
export const ScheduleTab = () => {
  const { workflowId } = useEditor();
  const query = useQuery({ ...previewScheduleQuery(workflowId), refetchInterval: slowPollMs });
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} what="the schedule" retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading label="Loading the schedule" />;
  const { active, schedules, next, registrations } = query.data;
  const hasSchedules = schedules.length > 0 || next.length > 0;
  if (!hasSchedules && registrations.length === 0)
    return (
      <PageState icon="calendar" tone="neutral" title="No schedule">
        <p>
          Add a schedule trigger and save the workflow to see when it runs. Triggers of apps appear here while the
          workflow is active.
        </p>
      </PageState>
    );
  return (
    <div className="page ed-tab">
      {registrations.length > 0 && <Registrations registrations={registrations} />}
      {hasSchedules && <Schedules active={active} schedules={schedules} next={next} />}
    </div>
  );
};
