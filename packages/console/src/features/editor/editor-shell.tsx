import type { NodeType } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { latestQuery, useMay } from '../../api/queries';
import { openNodes } from '../../app/open-nodes';
import { useStore } from '../../ui/store';
import { Banners } from './head/banners';
import { ConversationsTab } from './conversations/conversations-tab';
import { useClipboard } from './clipboard/use-clipboard';
import { EditorDialogs } from './dialogs/editor-dialogs';
import { type Editor, EditorContext } from './editor-context';
import { EditorHead } from './head/editor-head';
import { EditorView } from './editor-view';
import { allProblems, subNodeProblems } from './problems';
import { ExecutionsTab } from './tabs/executions-tab';
import { ScheduleTab } from './tabs/schedule-tab';
import { ConflictDialog } from './save/conflict-dialog';
import { LeaveDialog } from './save/leave-dialog';
import type { EditorTab } from './search';
import { createSession, type EditorSession } from './session';
import { ListeningBar } from './run/listening-bar';
import { SettingsTab } from './tabs/settings-tab';
import type { StoredWorkflow } from './stored-workflow';
import { focusNode } from './operations/node-keys';
import { useEditorKeys } from './operations/use-editor-keys';
import { VersionsTab } from './versions/versions-tab';

const route = getRouteApi('/workflows/$id');

/** The execution whose data is shown: the one in the address, or the last one. */
const useSource = (workflowId: string): Editor['source'] => {
  const { execution } = route.useSearch();
  const last = useQuery({ ...latestQuery([workflowId]), enabled: execution === undefined }).data?.get(workflowId)?.[0];
  const executionId = execution ?? last?.id;
  return useMemo(() => (executionId === undefined ? undefined : { executionId }), [executionId]);
};

const useEditorOf = (session: EditorSession, kinds: ReadonlyMap<string, NodeType>): Editor => {
  const { history, opened, selected } = useStore(session.editing);
  const { summary } = useStore(session.stored);
  const found = useStore(session.problems);
  const mayWrite = useMay('workflows:write');
  const source = useSource(session.workflowId);
  const navigate = route.useNavigate();
  const { document } = history;
  const problems = useMemo(() => allProblems(found, subNodeProblems(document, kinds)), [found, document, kinds]);
  const isReadOnly = !mayWrite || summary.managed !== undefined;
  return useMemo(
    () => ({
      workflowId: session.workflowId,
      document,
      kinds,
      isReadOnly,
      edit: (operation, group) => {
        if (!isReadOnly) session.edit(operation, group);
      },
      change: (next) => {
        if (!isReadOnly) session.change(next);
      },
      opened,
      open: session.open,
      selected,
      select: session.select,
      problems,
      ask: session.dialog.set,
      undo: session.undo,
      redo: session.redo,
      source,
      setSource: (execution) =>
        void navigate({ search: (before) => ({ ...before, execution, node: undefined }), replace: true }),
    }),
    [session, document, kinds, isReadOnly, opened, selected, problems, source, navigate],
  );
};

/** Lets the search find the nodes. */
const useSearchedNodes = ({ document, open }: Editor): void => {
  useEffect(() => {
    openNodes.set({
      names: document.entries().map(({ name }) => name),
      open: (name) => {
        open(name);
        focusNode(name);
      },
    });
    return () => openNodes.set(undefined);
  }, [document, open]);
};

const VIEWS: Readonly<Record<EditorTab, () => ReactNode>> = {
  editor: EditorView,
  executions: ExecutionsTab,
  conversations: ConversationsTab,
  versions: VersionsTab,
  schedule: ScheduleTab,
  settings: SettingsTab,
};

/** The editor of a loaded workflow: work on it survives a change of the tab. */
export const EditorShell = ({
  workflowId,
  received,
  kinds,
}: {
  workflowId: string;
  /** What the server had at the last read. */
  received: StoredWorkflow;
  kinds: ReadonlyMap<string, NodeType>;
}) => {
  const { tab = 'editor', node } = route.useSearch();
  const [session] = useState(() => createSession(workflowId, received));
  // The node of the address is opened once: others are chosen afterwards.
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current && received.document.definition.nodes.some(({ name }) => name === node)) session.open(node);
    isFirst.current = false;
  }, [session, received, node]);
  useEffect(() => session.receive(received), [session, received]);
  const editor = useEditorOf(session, kinds);
  useEditorKeys(session, editor);
  useSearchedNodes(editor);
  useClipboard(editor, tab === 'editor');
  const dialog = useStore(session.dialog);
  const View = VIEWS[tab];
  return (
    <EditorContext value={editor}>
      <EditorHead session={session} tab={tab} />
      <Banners session={session} />
      <ListeningBar />
      <View />
      <EditorDialogs dialog={dialog} close={() => session.dialog.set(undefined)} />
      <LeaveDialog session={session} />
      <ConflictDialog session={session} />
    </EditorContext>
  );
};
