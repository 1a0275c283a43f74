import type { Delivery } from '@weft/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { entriesOf } from '../../api/lists';
import { deliveriesQuery, type DeliveryFilter } from '../../api/operate';
import { namesQuery, pollMs } from '../../api/queries';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { PageHead, Stale } from '../../ui/page';
import { PageState } from '../../ui/states';
import { Ago } from '../../ui/values/time';
import { DeliveryState } from './delivery-state';

const route = getRouteApi('/deliveries');

const FILTERS: readonly (readonly [DeliveryFilter | undefined, string])[] = [
  [undefined, 'All'],
  ['pending', 'Pending'],
  ['refused', 'Refused'],
  ['parked', 'Parked'],
  ['delivered', 'Delivered'],
];

/** Webhook calls that could not start a run when they arrived. */
export const DeliveriesPage = () => {
  const { state, workflow } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery({
    ...deliveriesQuery({
      ...(state === undefined ? {} : { state }),
      ...(workflow === undefined ? {} : { workflowId: workflow }),
    }),
    refetchInterval: pollMs,
  });
  const rows = entriesOf(list.data);
  const workflowIds = (rows ?? []).map(({ workflowId }) => workflowId);
  const names = useQuery(namesQuery(workflow === undefined ? workflowIds : [...workflowIds, workflow])).data;
  const isFiltered = state !== undefined || workflow !== undefined;
  const columns: readonly Column<Delivery>[] = [
    {
      title: 'Call',
      className: 'w',
      cell: ({ id, method, path }) => (
        <Link to="/deliveries/$id" params={{ id }} className="clip block" title={`${method} /${path}`}>
          <b>
            {method} /{path}
          </b>
        </Link>
      ),
    },
    { title: 'State', cell: DeliveryState },
    {
      title: 'Workflow',
      cell: ({ workflowId }) => (
        <Link className="soft" to="/workflows/$id" params={{ id: workflowId }}>
          {names?.get(workflowId) ?? (names === undefined ? '…' : 'Deleted workflow')}
        </Link>
      ),
    },
    {
      title: 'Received',
      cell: ({ receivedAt }) => <span className="soft">{receivedAt !== null && <Ago at={receivedAt} />}</span>,
    },
    { title: 'Attempts', className: 'r', cell: ({ attempts }) => attempts },
    { title: 'Why', className: 'wrapcell', cell: ({ message }) => <span className="soft">{message}</span> },
  ];
  return (
    <>
      <PageHead title="Deliveries">
        <span className="grow" />
        <Stale query={list} />
      </PageHead>
      <div className="page">
        <div className="bar wraps">
          <div className="seg" role="group" aria-label="State">
            {FILTERS.map(([value, label]) => (
              <button
                key={label}
                type="button"
                aria-pressed={state === value}
                onClick={() => void navigate({ search: (before) => ({ ...before, state: value }), replace: true })}
              >
                {label}
              </button>
            ))}
          </div>
          {workflow !== undefined && (
            <button
              type="button"
              className="chip"
              onClick={() => void navigate({ search: (before) => ({ ...before, workflow: undefined }), replace: true })}
            >
              <Icon name="workflow" size={12} />
              <span className="clip">{names?.get(workflow) ?? workflow}</span>
              <span className="sr">: remove this filter</span>
              <Icon name="close" size={12} />
            </button>
          )}
        </div>
        <RecordList
          query={list}
          rows={rows}
          what="the deliveries"
          label="Deliveries"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <PageState
              icon={isFiltered ? 'search' : 'inbox'}
              tone="neutral"
              title={isFiltered ? 'No delivery matches' : 'No stored calls'}
            >
              <p>A webhook call is stored here if it cannot start a run when it arrives, and delivered later.</p>
            </PageState>
          }
        />
      </div>
    </>
  );
};
