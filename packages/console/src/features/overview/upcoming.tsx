import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { entriesOf } from '../../api/lists';
import { deliveriesQuery, type DeliveryFilter, schedulesQuery } from '../../api/operate';
import { namesQuery, slowPollMs } from '../../api/queries';
import { At, Ago } from '../../ui/values/time';
import { DeliveryState } from '../deliveries/delivery-state';

const MAX_SHOWN = 5;

const Card = ({ title, all, children }: { title: string; all: ReactNode; children: ReactNode }) => (
  <section className="card" aria-label={title}>
    <div className="cardhead">
      <h2 className="grow">{title}</h2>
      {all}
    </div>
    {children}
  </section>
);

const useDeliveries = (state: DeliveryFilter) =>
  entriesOf(useInfiniteQuery({ ...deliveriesQuery({ state }), refetchInterval: slowPollMs }).data);

/** Stored webhook calls that were refused or are waiting; renders nothing for an empty list. */
export const OpenDeliveries = () => {
  const [refused, pending] = [useDeliveries('refused'), useDeliveries('pending')];
  const open = [...(refused ?? []), ...(pending ?? [])].slice(0, MAX_SHOWN);
  if (open.length === 0) return null;
  return (
    <Card
      title="Deliveries"
      all={
        <Link className="lnk" to="/deliveries" search={{ state: (refused?.length ?? 0) > 0 ? 'refused' : 'pending' }}>
          Show all
        </Link>
      }
    >
      <ul className="runs">
        {open.map((delivery) => (
          <li key={delivery.id}>
            <Link to="/deliveries/$id" params={{ id: delivery.id }}>
              <DeliveryState {...delivery} />
              <span className="grow clip">
                <b>
                  {delivery.method} /{delivery.path}
                </b>
                <span className="soft"> {delivery.message}</span>
              </span>
              <span className="faint">{delivery.receivedAt !== null && <Ago at={delivery.receivedAt} />}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
};

/** The next due times of active schedules; renders nothing for an empty list. */
export const NextSchedules = () => {
  const listed = entriesOf(useInfiniteQuery({ ...schedulesQuery, refetchInterval: slowPollMs }).data) ?? [];
  const next = listed
    .flatMap(({ workflowId, node, nextAt }) => (nextAt === null ? [] : [{ workflowId, node, nextAt }]))
    .slice(0, MAX_SHOWN);
  const names = useQuery(namesQuery(next.map(({ workflowId }) => workflowId))).data;
  if (next.length === 0) return null;
  return (
    <Card
      title="Next schedules"
      all={
        <Link className="lnk" to="/schedules">
          Show all
        </Link>
      }
    >
      <ul className="runs">
        {next.map(({ workflowId, node, nextAt }) => (
          <li key={`${workflowId} ${node}`}>
            <Link to="/workflows/$id" params={{ id: workflowId }}>
              <b className="grow clip">{names?.get(workflowId) ?? '…'}</b>
              <span className="faint">
                <At at={nextAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
};
