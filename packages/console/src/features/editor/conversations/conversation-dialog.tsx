import type { Conversation } from '@weft/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { weft } from '../../../api/client';
import { Modal } from '../../../ui/overlays/dialog';
import { ErrorState, Loading } from '../../../ui/states';
import { At } from '../../../ui/values/time';
import { MessageView, readMessage } from './message-view';

const conversationQuery = (workflowId: string, id: string) =>
  queryOptions({
    queryKey: ['conversations', workflowId, id],
    queryFn: async ({ signal }) =>
      (await weft.call('getConversation', { path: { id: workflowId, conversationId: id }, signal })).data,
  });

/** The messages of a conversation. */
export const ConversationDialog = ({
  workflowId,
  conversation: { id, session, expiresAt },
  close,
}: {
  workflowId: string;
  conversation: Conversation;
  close: () => void;
}) => {
  const query = useQuery(conversationQuery(workflowId, id));
  return (
    <Modal title={`Conversation ${session}`} close={close} className="wide">
      <p className="faint">
        Deleted <At at={expiresAt} /> if no message follows.
      </p>
      {query.isError && query.data === undefined && (
        <ErrorState error={query.error} what="the conversation" retry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading label="Loading the conversation" />}
      {query.data !== undefined && (
        <div className="chat-log" role="region" aria-label="Messages" tabIndex={0}>
          <ol>
            {query.data.messages.map((message, at) => (
              <MessageView key={at} message={readMessage(message)} />
            ))}
          </ol>
        </div>
      )}
    </Modal>
  );
};
