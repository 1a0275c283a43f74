import type { Notification } from '@weft/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { weft } from '../../api/client';
import { entriesOf } from '../../api/lists';
import { type NotificationFilter, notificationsQuery } from '../../api/operate';
import { pollMs, queryClient } from '../../api/queries';
import { errorText, shortId } from '../../ui/values/format';
import { Icon } from '../../ui/icon';
import { type Column, RecordList } from '../../ui/lists/records';
import { Section } from '../../ui/lists/section';
import { Ago } from '../../ui/values/time';
import { notify } from '../../ui/overlays/toast';

const LOOKS = {
  pending: { tone: 'waiting', icon: 'waiting', word: 'Pending' },
  delivered: { tone: 'success', icon: 'success', word: 'Delivered' },
  failed: { tone: 'error', icon: 'error', word: 'Failed' },
} as const;

const FILTERS: readonly (readonly [NotificationFilter | undefined, string])[] = [
  [undefined, 'All'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
  ['delivered', 'Delivered'],
];

const resend = async (id: string, executionId: string): Promise<void> => {
  try {
    await weft.call('resendNotification', { path: { id, executionId } });
    notify('The notification is sent again');
  } catch (error) {
    notify('Could not send it again', 'error', errorText(error));
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['subscriptions', 'one', id] });
  }
};

/** What a subscription has sent, and what waits. */
export const Notifications = ({
  id,
  state,
  setState,
  mayWrite,
}: {
  id: string;
  state: NotificationFilter | undefined;
  setState: (state: NotificationFilter | undefined) => void;
  mayWrite: boolean;
}) => {
  const list = useInfiniteQuery({ ...notificationsQuery(id, state), refetchInterval: pollMs });
  const columns: readonly Column<Notification>[] = [
    {
      title: 'Execution',
      cell: ({ executionId }) => (
        <Link className="lnk" to="/executions/$id" params={{ id: executionId }} search={{}} title={executionId}>
          {shortId(executionId)}
        </Link>
      ),
    },
    {
      title: 'State',
      cell: (notification) => {
        const { tone, icon, word } = LOOKS[notification.state];
        return (
          <span className={`st ${tone}`}>
            <Icon name={icon} />
            {word}
          </span>
        );
      },
    },
    { title: 'Attempts', className: 'r', cell: ({ attempts }) => attempts },
    {
      title: 'Last attempt',
      cell: ({ attemptedAt, responseStatus }) => (
        <span className="soft">
          {attemptedAt === null ? '–' : <Ago at={attemptedAt} />}
          {responseStatus !== null && `, status ${responseStatus}`}
        </span>
      ),
    },
    { title: 'Why', className: 'wrapcell', cell: ({ error }) => <span className="soft">{error}</span> },
    {
      title: 'Send again',
      isBare: true,
      className: 'rowacts',
      cell: ({ executionId }) =>
        mayWrite && (
          <button
            type="button"
            className="btn sm"
            aria-label={`Send the notification of ${executionId} again`}
            onClick={() => void resend(id, executionId)}
          >
            Send again
          </button>
        ),
    },
  ];
  return (
    <Section title="Notifications" hint="Delivered ones are kept for one day, failed ones for 14.">
      <div className="seg" role="group" aria-label="State of notifications">
        {FILTERS.map(([value, label]) => (
          <button key={label} type="button" aria-pressed={state === value} onClick={() => setState(value)}>
            {label}
          </button>
        ))}
      </div>
      <RecordList
        query={list}
        rows={entriesOf(list.data)}
        what="the notifications"
        label="Notifications"
        columns={columns}
        keyOf={({ executionId }) => executionId}
        empty={<p className="soft">{state === undefined ? 'Nothing was sent yet.' : 'None is in this state.'}</p>}
      />
    </Section>
  );
};
