import type { Conversation } from '@weft/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { weft } from '../../../api/client';
import { entriesOf, pagedQuery } from '../../../api/lists';
import { queryClient, useMay } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { type Column, RecordList } from '../../../ui/lists/records';
import { Confirm } from '../../../ui/overlays/dialog';
import { notify } from '../../../ui/overlays/toast';
import { PageState } from '../../../ui/states';
import { plural } from '../../../ui/values/format';
import { Ago, At } from '../../../ui/values/time';
import { useEditor } from '../editor-context';
import { ConversationDialog } from './conversation-dialog';

const conversationsQuery = (workflowId: string) =>
  pagedQuery<Conversation>(['conversations', workflowId, 'list'], (page, signal) =>
    weft.call('listConversations', { path: { id: workflowId }, query: page, signal }),
  );

/** What is asked: one conversation is opened or deleted, or all are deleted. */
type Asked =
  { readonly kind: 'open' | 'delete'; readonly conversation: Conversation } | { readonly kind: 'delete-all' };

const readAgain = (workflowId: string) => queryClient.invalidateQueries({ queryKey: ['conversations', workflowId] });

const DeleteOne = ({
  workflowId,
  conversation: { id, session, messageCount },
  close,
}: {
  workflowId: string;
  conversation: Conversation;
  close: () => void;
}) => (
  <Confirm
    title={`Delete the conversation ${session}?`}
    action="Delete"
    isDanger
    close={close}
    act={async () => {
      await weft.call('deleteConversation', { path: { id: workflowId, conversationId: id } });
      notify('The conversation was deleted');
      await readAgain(workflowId);
    }}
  >
    <p>
      {plural(messageCount, 'message')} will be deleted for good. The next message of this session starts a new
      conversation.
    </p>
  </Confirm>
);

const DeleteAll = ({ workflowId, close }: { workflowId: string; close: () => void }) => (
  <Confirm
    title="Delete all conversations of this workflow?"
    action="Delete all"
    isDanger
    close={close}
    act={async () => {
      const { data } = await weft.call('deleteConversations', { path: { id: workflowId } });
      notify(`${plural(data.deleted, 'conversation')} deleted`);
      await readAgain(workflowId);
    }}
  >
    <p>All messages will be deleted for good. The next message of each session starts a new conversation.</p>
  </Confirm>
);

/** Conversations that the simple memories of the workflow stored. */
export const ConversationsTab = () => {
  const { workflowId } = useEditor();
  const mayWrite = useMay('workflows:write');
  const list = useInfiniteQuery({ ...conversationsQuery(workflowId), enabled: mayWrite });
  const [asked, ask] = useState<Asked>();
  const close = (): void => ask(undefined);
  if (!mayWrite)
    return (
      <PageState icon="chat" tone="neutral" title="Conversations are for users who may change the workflow">
        <p>Ask an owner of the workflow for the role of an editor.</p>
      </PageState>
    );
  const rows = entriesOf(list.data);
  const columns: readonly Column<Conversation>[] = [
    {
      title: 'Session',
      cell: (conversation) => (
        <button type="button" className="lnk clip" onClick={() => ask({ kind: 'open', conversation })}>
          {conversation.session}
        </button>
      ),
    },
    { title: 'Messages', className: 'num', cell: ({ messageCount }) => messageCount },
    { title: 'Last message', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
    { title: 'Kept until', cell: ({ expiresAt }) => <At at={expiresAt} /> },
    {
      title: 'Delete',
      isBare: true,
      className: 'rowacts',
      cell: (conversation) => (
        <button
          type="button"
          className="btn quiet icon"
          aria-label={`Delete the conversation ${conversation.session}`}
          onClick={() => ask({ kind: 'delete', conversation })}
        >
          <Icon name="trash" />
        </button>
      ),
    },
  ];
  return (
    <div className="page ed-tab">
      <div className="bar">
        <h2 className="grow">Conversations</h2>
        {rows !== undefined && rows.length > 0 && (
          <button type="button" className="btn" onClick={() => ask({ kind: 'delete-all' })}>
            <Icon name="trash" />
            Delete all
          </button>
        )}
      </div>
      <RecordList
        query={list}
        rows={rows}
        what="the conversations"
        label="Conversations"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <PageState icon="chat" tone="neutral" title="No conversations yet">
            <p>A node Simple Memory stores the messages of each session here.</p>
          </PageState>
        }
      />
      {asked?.kind === 'open' && (
        <ConversationDialog workflowId={workflowId} conversation={asked.conversation} close={close} />
      )}
      {asked?.kind === 'delete' && (
        <DeleteOne workflowId={workflowId} conversation={asked.conversation} close={close} />
      )}
      {asked?.kind === 'delete-all' && <DeleteAll workflowId={workflowId} close={close} />}
    </div>
  );
};
