import type { Args } from '@weft/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { unpinItems, type WorkflowDocument } from '@weft/workflow-edit';
import { useEffect } from 'react';
import { CONSOLE, weft } from '../../../api/client';
import { queryClient, useMay } from '../../../api/queries';
import { notify } from '../../../ui/overlays/toast';
import { createStore, useStore } from '../../../ui/store';
import { kindOfNode } from '../../graph/kinds';
import { useEditor } from '../editor-context';

/** A listening of this page. */
interface Waiting {
  readonly workflowId: string;
  readonly id: string;
  readonly node: string;
  readonly methods: readonly string[];
  readonly url: string;
  /** ISO 8601. */
  readonly until: string;
}

type ListeningBody = NonNullable<Args<'startListening'>['body']>;

/** The listening of this page; a page has one editor. */
const waiting = createStore<Waiting | undefined>(undefined);

const SECONDS = 120;
const POLL_MS = 1_000;

const pathOf = (workflowId: string): string => `/workflows/${encodeURIComponent(workflowId)}/listening`;

/** Ends a listening even if the page is being closed. */
const stop = ({ workflowId, id }: Waiting): void => {
  if (waiting.get()?.id === id) waiting.set(undefined);
  void fetch(`${CONSOLE}/api/v1${pathOf(workflowId)}?listeningId=${encodeURIComponent(id)}`, {
    method: 'DELETE',
    keepalive: true,
    headers: { 'x-weft-console': '1' },
  }).catch(() => undefined);
};

/** The draft as a call shall run it: a pinned webhook would ignore the call. */
const calledDraft = (document: WorkflowDocument, node: string): WorkflowDocument['json'] =>
  Object.hasOwn(document.definition.pinData, node) ? unpinItems(document, node).document.json : document.json;

/** Begins to wait for a call of a webhook. */
export const useListen = () => {
  const { workflowId, document } = useEditor();
  return useMutation({
    mutationFn: async (node: string) => {
      const body: ListeningBody = { node, definition: calledDraft(document, node), seconds: SECONDS };
      return (await weft.call('startListening', { path: { id: workflowId }, body })).data;
    },
    onSuccess: ({ id, node, methods = [], url, until }) => {
      if (id !== undefined && node !== undefined && url !== undefined && until !== undefined)
        waiting.set({ workflowId, id, node, methods, url, until });
    },
    onError: (error) => notify('Could not listen', 'error', error.message),
  });
};

/** The listening of this editor, and a function that ends it. */
export const useWaiting = () => {
  const { workflowId } = useEditor();
  const current = useStore(waiting);
  const own = current?.workflowId === workflowId ? current : undefined;
  return { waiting: own, stop: () => own !== undefined && stop(own) };
};

/** Shows the run of the call when it comes; ends with its time, and with the editor. */
export const useFollowListening = (): void => {
  const { workflowId, setSource } = useEditor();
  const { waiting: own } = useWaiting();
  const id = own?.id;
  const answer = useQuery({
    queryKey: ['listening', workflowId, id],
    enabled: id !== undefined,
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
    staleTime: 0,
    queryFn: async ({ signal }) => (await weft.call('getListening', { path: { id: workflowId }, signal })).data,
  }).data;
  useEffect(() => {
    if (id === undefined || answer === undefined) return;
    if (answer.id === id && answer.state === 'waiting') return;
    waiting.set(undefined);
    if (answer.id === id && answer.executionId !== undefined) {
      notify('The call has come: this is its run');
      setSource(answer.executionId);
      for (const key of ['executions', 'latest']) void queryClient.invalidateQueries({ queryKey: [key] });
    } else if (answer.state === 'none')
      notify('No call came', 'error', 'Choose Listen again, and send the call while the editor waits.');
    else notify('Another editor of this workflow listens now', 'error');
  }, [id, answer, setSource]);
  useEffect(() => {
    if (own === undefined) return undefined;
    const leave = (): void => stop(own);
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [own]);
  // Ends with the editor, not with a change of the listening.
  useEffect(
    () => () => {
      const left = waiting.get();
      if (left?.workflowId === workflowId) stop(left);
    },
    [workflowId],
  );
};

/** Names of the enabled webhooks of the draft. */
export const webhooksOf = ({ definition }: WorkflowDocument): readonly string[] =>
  definition.nodes
    .filter(({ type, disabled }) => disabled !== true && kindOfNode(type) === 'webhook')
    .map(({ name }) => name);

/** Whether the user may listen at all. */
export const useMayListen = (): boolean => useMay('executions:write');
