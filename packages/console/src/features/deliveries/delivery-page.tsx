import type { WholeDelivery } from '@weft/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { weft } from '../../api/client';
import { deliveryQuery } from '../../api/operate';
import { namesQuery, queryClient, useMay } from '../../api/queries';
import { Confirm } from '../../ui/overlays/dialog';
import { formatBytes } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { JsonTree } from '../../ui/values/json-tree';
import { Section } from '../../ui/lists/section';
import { useTitle } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { At } from '../../ui/values/time';
import { notify } from '../../ui/overlays/toast';
import { DeliveryState } from './delivery-state';

const route = getRouteApi('/deliveries/$id');

const Head = ({ delivery }: { delivery: WholeDelivery }) => {
  const { id, method, path, state } = delivery;
  const navigate = useNavigate();
  const mayWrite = useMay('executions:write');
  const [isDeleting, setDeleting] = useState(false);
  const title = `${method} /${path}`;
  useTitle(title);
  const redeliver = useMutation({
    mutationFn: async () => (await weft.call('redeliver', { path: { id } })).data,
    onSuccess: ({ state: after, message }) =>
      after === 'delivered' ? notify('Delivered') : notify('It was not delivered', 'error', message),
    onError: (error) => notify('Could not deliver', 'error', error.message),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  return (
    <header className="top">
      <Link className="btn quiet icon" to="/deliveries" search={{}} aria-label="Back to deliveries">
        <Icon name="back" />
      </Link>
      <h1 className="grow clip" title={title}>
        {title}
      </h1>
      {mayWrite && state !== 'delivered' && (
        <>
          <button type="button" className="btn" onClick={() => setDeleting(true)}>
            <Icon name="ban" />
            Give up
          </button>
          <button
            type="button"
            className="btn primary"
            disabled={redeliver.isPending}
            onClick={() => redeliver.mutate()}
          >
            <Icon name="retry" />
            Deliver now
          </button>
        </>
      )}
      {isDeleting && (
        <Confirm
          title="Give up this call?"
          action="Give up"
          isDanger
          close={() => setDeleting(false)}
          act={async () => {
            await weft.call('deleteDelivery', { path: { id } });
            notify('The call is no longer delivered');
            await navigate({ to: '/deliveries', search: {} });
            await queryClient.invalidateQueries({ queryKey: ['deliveries'] });
          }}
        >
          <p>The stored call is deleted with its request, and starts no run.</p>
        </Confirm>
      )}
    </header>
  );
};

/** A stored call with its request. */
export const DeliveryPage = () => {
  const { id } = route.useParams();
  const query = useQuery(deliveryQuery(id));
  const workflowId = query.data?.workflowId;
  const names = useQuery(namesQuery(workflowId === undefined ? [] : [workflowId])).data;
  if (query.isError && query.data === undefined)
    return (
      <ErrorState
        isPage
        error={query.error}
        what="this delivery"
        retry={() => void query.refetch()}
        next={
          <Link className="btn" to="/deliveries" search={{}}>
            All deliveries
          </Link>
        }
      />
    );
  if (query.data === undefined) return <Loading label="Loading the delivery" />;
  const delivery = query.data;
  const { node, attempts, bytes, receivedAt, nextAttemptAt, expiresAt, executionId, reason, message } = delivery;
  const times = [
    ['Received', receivedAt],
    ['Next attempt', nextAttemptAt],
    ['Deleted', expiresAt],
  ] as const;
  return (
    <>
      <Head delivery={delivery} />
      <div className="page">
        <div className="parts">
          <Section title="Delivery">
            <dl className="factlist">
              <div>
                <dt>State</dt>
                <dd>
                  <DeliveryState {...delivery} />
                </dd>
              </div>
              <div>
                <dt>Workflow</dt>
                <dd>
                  <Link className="lnk" to="/workflows/$id" params={{ id: delivery.workflowId }}>
                    {names?.get(delivery.workflowId) ?? delivery.workflowId}
                  </Link>{' '}
                  <span className="soft">at {node}</span>
                </dd>
              </div>
              {times.map(
                ([name, at]) =>
                  at !== null && (
                    <div key={name}>
                      <dt>{name}</dt>
                      <dd>
                        <At at={at} />
                      </dd>
                    </div>
                  ),
              )}
              <div>
                <dt>Attempts</dt>
                <dd>{attempts}</dd>
              </div>
              <div>
                <dt>Size</dt>
                <dd>{formatBytes(bytes)}</dd>
              </div>
              {executionId !== null && (
                <div>
                  <dt>Started</dt>
                  <dd>
                    <Link className="lnk" to="/executions/$id" params={{ id: executionId }} search={{}}>
                      {executionId}
                    </Link>
                  </dd>
                </div>
              )}
            </dl>
            {message !== '' && (
              <p className="st error wraps">
                <Icon name="error" />
                <span>
                  {message} <code>{reason}</code>
                </span>
              </p>
            )}
          </Section>
          <Section title="Request" hint="Headers that carry secrets are masked.">
            {delivery.request === null ? (
              <p className="soft">The request is deleted once it is delivered: it is the input of the run.</p>
            ) : (
              <JsonTree value={delivery.request} label="Request" />
            )}
          </Section>
        </div>
      </div>
    </>
  );
};
