import type { EventSubscription } from '@weft/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { subscriptionQuery } from '../../api/operate';
import { useOwners } from '../../api/owners';
import { namesQuery, queryClient, useMay } from '../../api/queries';
import { ifMatch, readTag, useTag } from '../../api/tagged';
import { Confirm } from '../../ui/overlays/dialog';
import { errorText } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { Section } from '../../ui/lists/section';
import { MenuButton } from '../../ui/overlays/menu';
import { useTitle } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { At } from '../../ui/values/time';
import { notify } from '../../ui/overlays/toast';
import { Notifications } from './notifications';
import { SubscriptionForm } from './subscription-form';
import { SubscriptionState } from './subscription-state';

const route = getRouteApi('/subscriptions/$id');

const readAgain = () => queryClient.invalidateQueries({ queryKey: ['subscriptions'] });

/** Pauses it or lets it continue, unless someone else has changed it meanwhile. */
const setPaused = async (subscription: EventSubscription, paused: boolean): Promise<void> => {
  const { id, name, url, statuses, workflowIds = [], batch, credentialId, allOwners } = subscription;
  try {
    const tag = await readTag(`/event-subscriptions/${id}`);
    await weft.call('replaceEventSubscription', {
      path: { id },
      body: {
        name,
        url,
        statuses,
        workflowIds,
        batch,
        allOwners,
        paused,
        ...(credentialId === undefined ? {} : { credentialId }),
      },
      headers: ifMatch(tag),
    });
    notify(paused ? 'The subscription is paused' : 'The subscription continues');
  } catch (error) {
    notify('That was refused', 'error', errorText(error));
  } finally {
    await readAgain();
  }
};

const Change = ({ subscription, close }: { subscription: EventSubscription; close: () => void }) => {
  const { id } = subscription;
  const tag = useTag(`/event-subscriptions/${id}`);
  return (
    <SubscriptionForm
      subscription={subscription}
      close={close}
      submit={async (body) => {
        await weft.call('replaceEventSubscription', { path: { id }, body, headers: ifMatch(await tag) });
        notify(`${body.name} was changed`);
        await readAgain();
      }}
    />
  );
};

const Head = ({ subscription, mayWrite }: { subscription: EventSubscription; mayWrite: boolean }) => {
  const { id, name, paused } = subscription;
  const navigate = useNavigate();
  const [opened, open] = useState<'edit' | 'delete'>();
  const test = useMutation({
    mutationFn: async () => (await weft.call('testEventSubscription', { path: { id } })).data,
    onSuccess: ({ delivered, responseStatus, error }) =>
      delivered
        ? notify('The receiver accepted the test event')
        : notify('The test event was not accepted', 'error', error ?? `status ${responseStatus}`),
    onError: (error) => notify('Could not test', 'error', error.message),
  });
  useTitle(name);
  return (
    <header className="top">
      <Link className="btn quiet icon" to="/subscriptions" search={{}} aria-label="Back to event subscriptions">
        <Icon name="back" />
      </Link>
      <h1 className="grow clip" title={name}>
        {name}
      </h1>
      {mayWrite && (
        <>
          <button type="button" className="btn primary" disabled={test.isPending} onClick={() => test.mutate()}>
            <Icon name="zap" />
            Test
          </button>
          <MenuButton
            label="Actions"
            entries={[
              { label: 'Change', icon: 'pen', act: () => open('edit') },
              {
                label: paused ? 'Continue' : 'Pause',
                icon: paused ? 'play' : 'ban',
                act: () => void setPaused(subscription, !paused),
              },
              { label: 'Delete', icon: 'trash', isDanger: true, act: () => open('delete') },
            ]}
          >
            <Icon name="more" />
          </MenuButton>
        </>
      )}
      {opened === 'edit' && <Change subscription={subscription} close={() => open(undefined)} />}
      {opened === 'delete' && (
        <Confirm
          title="Delete the subscription?"
          action="Delete"
          isDanger
          close={() => open(undefined)}
          act={async () => {
            await weft.call('deleteEventSubscription', { path: { id } });
            notify(`${name} was deleted`);
            await navigate({ to: '/subscriptions', search: {} });
            await readAgain();
          }}
        >
          <p>{name} is deleted with its notifications, also those that wait.</p>
        </Confirm>
      )}
    </header>
  );
};

/** A subscription and its notifications. */
export const SubscriptionPage = () => {
  const { id } = route.useParams();
  const { state } = route.useSearch();
  const changeSearch = route.useNavigate();
  const query = useQuery(subscriptionQuery(id));
  const { nameOf } = useOwners();
  const mayWrite = useMay('workflows:write');
  const workflowIds = query.data?.workflowIds ?? [];
  const names = useQuery(namesQuery(workflowIds)).data;
  if (query.isError && query.data === undefined)
    return (
      <ErrorState
        isPage
        error={query.error}
        what="this subscription"
        retry={() => void query.refetch()}
        next={
          <Link className="btn" to="/subscriptions" search={{}}>
            All subscriptions
          </Link>
        }
      />
    );
  if (query.data === undefined) return <Loading label="Loading the subscription" />;
  const { url, projectId, allOwners, failingSince, credentialId, batch } = query.data;
  return (
    <>
      <Head subscription={query.data} mayWrite={mayWrite} />
      <div className="page">
        <div className="parts">
          <Section title="Subscription">
            <dl className="factlist">
              <div>
                <dt>State</dt>
                <dd>
                  <SubscriptionState {...query.data} />
                  {failingSince !== null && (
                    <span className="soft">
                      {' '}
                      since <At at={failingSince} />
                    </span>
                  )}
                </dd>
              </div>
              <div>
                <dt>Address</dt>
                <dd>
                  <code>{url}</code>
                </dd>
              </div>
              <div>
                <dt>For</dt>
                <dd>executions of {allOwners ? 'all owners' : nameOf(projectId)}</dd>
              </div>
              {workflowIds.length > 0 && (
                <div>
                  <dt>Workflows</dt>
                  <dd>{workflowIds.map((one) => names?.get(one) ?? one).join(', ')}</dd>
                </div>
              )}
              <div>
                <dt>Signed</dt>
                <dd>
                  {credentialId === undefined ? (
                    'no'
                  ) : (
                    <Link className="lnk" to="/credentials/$id" params={{ id: credentialId }}>
                      with a credential
                    </Link>
                  )}
                </dd>
              </div>
              <div>
                <dt>Per request</dt>
                <dd>{batch === 1 ? 'one event' : `at most ${batch} events`}</dd>
              </div>
            </dl>
          </Section>
          <Notifications
            id={id}
            state={state}
            setState={(value) => void changeSearch({ search: { state: value }, replace: true })}
            mayWrite={mayWrite}
          />
        </div>
      </div>
    </>
  );
};
