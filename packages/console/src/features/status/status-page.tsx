import type { InstanceStatus } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { statusQuery } from '../../api/queries';
import { formatCount } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { PageHead, Stale } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { Elapsed } from '../../ui/values/time';

const MAX_COUNT = 1_000;

const countText = (count: number): string => (count >= MAX_COUNT ? '1,000+' : formatCount(count));

/** Counts of executions, each a link to the list with this filter. */
export const Counts = ({ counts }: { counts: NonNullable<InstanceStatus['executions']> }) => (
  <div className="tiles">
    <Link className="card count-tile" to="/executions" search={{ status: 'running' }}>
      <b className="num">{countText(counts.running)}</b>
      <span className="st running">
        <Icon name="running" />
        running
      </span>
    </Link>
    <Link className="card count-tile" to="/executions" search={{ status: 'running' }}>
      <b className="num">{countText(counts.queued)}</b>
      <span className="st neutral">
        <Icon name="neutral" />
        queued
      </span>
      {counts.oldestQueuedAt !== null && (
        <span className="faint">
          oldest for <Elapsed since={counts.oldestQueuedAt} />
        </span>
      )}
    </Link>
    <Link className="card count-tile" to="/executions" search={{ status: 'waiting' }}>
      <b className="num">{countText(counts.waiting)}</b>
      <span className="st waiting">
        <Icon name="waiting" />
        waiting
      </span>
    </Link>
    <Link className="card count-tile" to="/executions" search={{ status: 'error', period: '1h' }}>
      <b className="num">{countText(counts.failedLastHour)}</b>
      <span className={counts.failedLastHour > 0 ? 'st error' : 'st success'}>
        <Icon name={counts.failedLastHour > 0 ? 'error' : 'success'} />
        failed in the last hour
      </span>
    </Link>
  </div>
);

/** Whether each service responds. */
const Services = ({ status }: { status: InstanceStatus }) => (
  <section className="card" aria-labelledby="services">
    <h2 id="services" className="cardhead">
      Services
    </h2>
    <table className="table">
      <thead>
        <tr>
          <th>Service</th>
          <th>State</th>
          <th>Release</th>
        </tr>
      </thead>
      <tbody>
        {[{ name: 'gateway', reachable: true, release: status.release }, ...status.services].map(
          ({ name, reachable, release }) => (
            <tr key={name}>
              <td>
                <b>{name}</b>
              </td>
              <td>
                <span className={`st ${reachable ? 'success' : 'error'}`}>
                  <Icon name={reachable ? 'success' : 'error'} />
                  {reachable ? 'Responds' : 'Does not respond'}
                </span>
              </td>
              <td className="soft">
                {release ?? (reachable ? 'not reported' : '–')}
                {release !== null && release !== status.release && <span className="faint"> differs</span>}
              </td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  </section>
);

/** Health and load of the instance, for owners and admins. */
export const StatusPage = () => {
  const status = useQuery(statusQuery);
  return (
    <>
      <PageHead title="Status">
        {status.data !== undefined && <span className="tag">Release {status.data.release}</span>}
        <span className="grow" />
        <Stale query={status} />
      </PageHead>
      <div className="page stack">
        {status.isPending && <Loading label="Loading the status" />}
        {status.isError && status.data === undefined && (
          <ErrorState error={status.error} what="the status" retry={() => void status.refetch()} />
        )}
        {status.data !== undefined && (
          <>
            {status.data.executions === null ? (
              <p className="st error">
                <Icon name="error" />
                The executions service does not respond, so there are no counts.
              </p>
            ) : (
              <Counts counts={status.data.executions} />
            )}
            <Services status={status.data} />
          </>
        )}
      </div>
    </>
  );
};
