import type { Execution } from '@weft/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { weft } from '../../../api/client';
import { executionQuery, queryClient } from '../../../api/queries';
import { notify } from '../../../ui/overlays/toast';
import { errorText } from '../../../ui/values/format';
import { pendingOf } from './chat-state';
import { useChat } from './use-chat';

/** The message of a run that waits for a reply, with the conversation so far. */
export type PendingReply = NonNullable<Execution['reply']>;

/** The reply that the run of the last message waits for; undefined if it waits for none. */
export const usePendingReply = (): PendingReply | undefined => {
  const id = pendingOf(useChat().chat)?.executionId ?? '';
  return useQuery({ ...executionQuery(id), enabled: id !== '' }).data?.reply;
};

/** Replies to the message that the run waits at. The execution is always read again: another reply may be first. */
export const useSendReply = () => {
  const id = pendingOf(useChat().chat)?.executionId ?? '';
  const run = usePendingReply()?.run ?? '';
  return useMutation({
    mutationFn: (body: { readonly text: string } | { readonly approved: boolean }) =>
      weft.call('replyToChat', { path: { id, run }, body }),
    onError: (error) => notify('Could not reply', 'error', errorText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['execution', id] }),
  });
};
