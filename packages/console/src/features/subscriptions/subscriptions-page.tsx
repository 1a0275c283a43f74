import type { EventSubscription } from '@weft/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { entriesOf } from '../../api/lists';
import { subscriptionsQuery } from '../../api/operate';
import { useOwners } from '../../api/owners';
import { queryClient, useMay } from '../../api/queries';
import { onceOnly } from '../../api/tagged';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { PageHead, Stale } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { PageState } from '../../ui/states';
import { SubscriptionForm } from './subscription-form';
import { SubscriptionState } from './subscription-state';

const route = getRouteApi('/subscriptions');

const COLUMNS: readonly Column<EventSubscription>[] = [
  {
    title: 'Name',
    className: 'w',
    cell: ({ id, name }) => (
      <Link to="/subscriptions/$id" params={{ id }} search={{}} className="clip block" title={name}>
        <b>{name}</b>
      </Link>
    ),
  },
  { title: 'State', cell: SubscriptionState },
  { title: 'Address', className: 'wrapcell', cell: ({ url }) => <code>{url}</code> },
  {
    title: 'Sent after',
    cell: ({ statuses }) => (
      <span className="soft">
        {statuses.length === 2 ? 'every end' : statuses[0] === 'error' ? 'failures' : 'successes'}
      </span>
    ),
  },
];

/** Subscriptions to the ends of executions. */
export const SubscriptionsPage = () => {
  const { project } = route.useSearch();
  const changeSearch = route.useNavigate();
  const navigate = useNavigate();
  const list = useInfiniteQuery(subscriptionsQuery(project));
  const { nameOf, all } = useOwners();
  const mayWrite = useMay('workflows:write');
  const [isCreating, setCreating] = useState(false);
  const newButton = mayWrite && (
    <button type="button" className="btn primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      <span>
        New<span className="only-wide"> subscription</span>
      </span>
    </button>
  );
  return (
    <>
      <PageHead title="Event subscriptions">
        <span className="grow" />
        <Stale query={list} />
        {newButton}
      </PageHead>
      <div className="page">
        {all.length > 1 && (
          <div className="bar">
            <Picker
              label="Project"
              all="All projects"
              value={project}
              choices={all}
              change={(value) => void changeSearch({ search: { project: value }, replace: true })}
            />
          </div>
        )}
        <RecordList
          query={list}
          rows={entriesOf(list.data)}
          what="the subscriptions"
          label="Event subscriptions"
          columns={[
            ...COLUMNS,
            {
              title: 'Executions of',
              cell: ({ projectId, allOwners }) => (
                <span className="soft">{allOwners ? 'all owners' : nameOf(projectId)}</span>
              ),
            },
          ]}
          keyOf={({ id }) => id}
          empty={
            <PageState
              icon="bell"
              tone="running"
              title={project === undefined ? 'No event subscriptions yet' : 'No subscription is for this project'}
              actions={newButton}
            >
              <p>A subscription sends an event to an address whenever an execution ends.</p>
            </PageState>
          }
        />
      </div>
      {isCreating && (
        <SubscriptionForm
          project={project}
          close={() => setCreating(false)}
          submit={async (body) => {
            const { data } = await weft.call('createEventSubscription', { body, headers: onceOnly() });
            await queryClient.invalidateQueries({ queryKey: ['subscriptions'] });
            await navigate({ to: '/subscriptions/$id', params: { id: data.id }, search: {} });
          }}
        />
      )}
    </>
  );
};
