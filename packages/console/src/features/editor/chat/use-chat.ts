import { useMutation, useQuery } from '@tanstack/react-query';
import { type ChatFile, chatTriggersOf, runOfMessage } from '@weft/workflow-edit';
import { useEffect, useMemo } from 'react';
import { weft } from '../../../api/client';
import { useLiveRun } from '../../../api/live';
import { executionQuery, queryClient, useMay } from '../../../api/queries';
import { onceOnly } from '../../../api/tagged';
import { isTerminal } from '../../../ui/runs/run-state';
import { useStore } from '../../../ui/store';
import { errorText } from '../../../ui/values/format';
import { useEditor } from '../editor-context';
import { addExchange, changeExchange, chatOf, pendingOf } from './chat-state';
import { readOutcome } from './read-outcome';

const POLL_MS = 1_500;

/** The chat of the open workflow, and the triggers that it can talk to. */
export const useChat = () => {
  const { workflowId, document } = useEditor();
  const store = chatOf(workflowId);
  const chat = useStore(store);
  const triggers = useMemo(() => chatTriggersOf(document.definition), [document]);
  const trigger = triggers.find(({ name }) => name === chat.trigger) ?? triggers[0];
  return { store, chat, triggers, trigger };
};

/** True if the workflow has a chat that the user may start. */
export const useHasChat = (): boolean => {
  const mayRun = useMay('workflows:write');
  return useChat().triggers.length > 0 && mayRun;
};

/** Sends a message: it starts the workflow on the screen, saved or not. */
export const useSendMessage = () => {
  const { workflowId, document, setSource } = useEditor();
  const { store, trigger } = useChat();
  return useMutation({
    mutationFn: async ({ id, text, files }: { id: string; text: string; files: readonly ChatFile[] }) => {
      addExchange(store, { id, text, files: files.map(({ name }) => name) });
      const message = { sessionId: store.get().sessionId, text, files };
      const body = runOfMessage(document.json, trigger?.name ?? '', message);
      return (await weft.call('executeWorkflow', { path: { id: workflowId }, body, headers: onceOnly() })).data;
    },
    onSuccess: ({ executionId }, { id }) => {
      changeExchange(store, id, { executionId });
      setSource(executionId);
      for (const key of ['executions', 'latest']) void queryClient.invalidateQueries({ queryKey: [key] });
    },
    onError: (error, { id }) => changeExchange(store, id, { outcome: { state: 'error', text: errorText(error) } }),
  });
};

/** Ends the run of the message that waits for its answer. */
export const useStopMessage = () =>
  useMutation({
    mutationFn: (id: string) => weft.call('cancelExecution', { path: { id } }),
    onSettled: (_, __, id) => queryClient.invalidateQueries({ queryKey: ['execution', id] }),
  });

/** Follows the run of the message that waits for its answer, and takes the answer when it has ended. */
export const useFollowChat = (): void => {
  const { store, chat } = useChat();
  const pending = pendingOf(chat);
  const id = pending?.executionId ?? '';
  const exchangeId = pending?.id ?? '';
  const { connection } = useLiveRun(id);
  const execution = useQuery({
    ...executionQuery(id),
    enabled: id !== '',
    refetchInterval: ({ state }) => (state.data === undefined || isTerminal(state.data.state) ? false : POLL_MS),
  });
  useEffect(() => {
    if (connection === 'ended' && id !== '') void queryClient.invalidateQueries({ queryKey: ['execution', id] });
  }, [connection, id]);
  const { data, error } = execution;
  useEffect(() => {
    if (id === '') return;
    const end = (text: string): void => changeExchange(store, exchangeId, { outcome: { state: 'error', text } });
    if (connection === 'deleted') end('The execution was deleted.');
    else if (data !== undefined)
      void readOutcome(data).then(
        (outcome) => outcome !== undefined && changeExchange(store, exchangeId, { outcome }),
        (reason: unknown) => end(errorText(reason)),
      );
    else if (error !== null) end(errorText(error));
  }, [store, exchangeId, id, connection, data, error]);
};
