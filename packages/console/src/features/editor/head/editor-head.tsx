import { changeCount } from '@weft/workflow-edit';
import { getRouteApi, Link } from '@tanstack/react-router';
import { plural } from '../../../ui/values/format';
import { Icon } from '../../../ui/icon';
import { useTitle } from '../../../ui/page';
import { useStore } from '../../../ui/store';
import { ActiveSwitch } from '../../workflows/active-switch';
import { useMay } from '../../../api/queries';
import { kindOfNode } from '../../graph/kinds';
import { useEditor } from '../editor-context';
import { MoreMenu } from './more-menu';
import { ProblemMenu } from './problem-list';
import { RunMenu } from '../run/run-menu';
import { SaveButton } from '../save/save-button';
import { saveWorkflow } from '../save/save-workflow';
import { type EditorTab, TABS } from '../search';
import type { EditorSession } from '../session';
import { WorkflowName } from './workflow-name';

const route = getRouteApi('/workflows/$id');

const LABELS: Readonly<Record<EditorTab, string>> = {
  editor: 'Editor',
  executions: 'Executions',
  conversations: 'Conversations',
  versions: 'Versions',
  schedule: 'Triggers',
  settings: 'Settings',
};

/** The kind whose conversations are listed. */
const MEMORY = 'langchain.memoryBufferWindow';

const searchOf = (tab: EditorTab) => (tab === 'editor' ? undefined : tab);

/** The views of a workflow: links in a wide window, a list in a narrow one. */
const Tabs = ({ current }: { current: EditorTab }) => {
  const navigate = route.useNavigate();
  const { id } = route.useParams();
  const { document } = useEditor();
  const hasMemory = document.definition.nodes.some(({ type }) => kindOfNode(type) === MEMORY);
  const tabs = TABS.filter((tab) => tab !== 'conversations' || hasMemory || tab === current);
  return (
    <>
      <nav className="seg only-wide" aria-label="Views of the workflow">
        {tabs.map((tab) => (
          <Link
            key={tab}
            to="/workflows/$id"
            params={{ id }}
            search={(before) => ({ ...before, tab: searchOf(tab) })}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {LABELS[tab]}
          </Link>
        ))}
      </nav>
      <label className="picker only-narrow">
        <span className="sr">View</span>
        <select
          value={current}
          onChange={({ target }) => {
            const tab = TABS.find((one) => one === target.value) ?? 'editor';
            void navigate({ search: (before) => ({ ...before, tab: searchOf(tab) }) });
          }}
        >
          {tabs.map((tab) => (
            <option key={tab} value={tab}>
              {LABELS[tab]}
            </option>
          ))}
        </select>
      </label>
    </>
  );
};

/** Name, unsaved changes, views, undo, activity, run and save. */
export const EditorHead = ({ session, tab }: { session: EditorSession; tab: EditorTab }) => {
  const editing = useStore(session.editing);
  const { summary } = useStore(session.stored);
  const isKept = useStore(session.isKept);
  const { document, isReadOnly, undo, redo } = useEditor();
  const mayWrite = useMay('workflows:write');
  const name = document.definition.name.trim() === '' ? 'Untitled' : document.definition.name;
  const changes = changeCount(editing);
  const [nextUndo, nextRedo] = [editing.history.undo.at(-1), editing.history.redo.at(-1)];
  useTitle(`${changes > 0 ? '* ' : ''}${name}`);
  return (
    <header className="top xtop edtop">
      <Link className="btn quiet icon" to="/workflows" search={{}} aria-label="Back to workflows">
        <Icon name="back" />
      </Link>
      <WorkflowName shown={name} />
      {changes > 0 && (
        <span
          className="tag unsaved"
          role="status"
          title={isKept ? 'This browser keeps them as a draft' : 'Not saved yet'}
        >
          <span className="dotc" aria-hidden="true" />
          {plural(changes, 'change')}
        </span>
      )}
      <ProblemMenu />
      <Tabs current={tab} />
      <span className="grow" />
      {!isReadOnly && (
        <span className="only-wide line">
          <button
            type="button"
            className="btn quiet icon"
            aria-label="Undo"
            title={nextUndo === undefined ? 'Nothing to undo' : `Undo: ${nextUndo.label} (Ctrl Z)`}
            disabled={nextUndo === undefined}
            onClick={undo}
          >
            <Icon name="undo" />
          </button>
          <button
            type="button"
            className="btn quiet icon"
            aria-label="Redo"
            title={nextRedo === undefined ? 'Nothing to redo' : `Redo: ${nextRedo.label} (Shift Ctrl Z)`}
            disabled={nextRedo === undefined}
            onClick={redo}
          >
            <Icon name="redo" />
          </button>
        </span>
      )}
      <span className="line">
        <span className="soft only-wide" aria-hidden="true">
          {summary.active ? 'Active' : 'Inactive'}
        </span>
        <ActiveSwitch
          id={summary.id}
          name={summary.name}
          active={summary.active}
          mayChange={mayWrite}
          prepare={() => saveWorkflow(session)}
        />
      </span>
      <RunMenu />
      <SaveButton session={session} />
      <MoreMenu />
    </header>
  );
};
