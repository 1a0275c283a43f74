import { type RefObject, useEffect, useRef, useState } from 'react';
import { Icon } from '../../ui/icon';
import { useNarrow } from '../../ui/media';
import { type SplitLimits, Splitter, useSize } from '../../ui/splitter';
import { KindTile } from '../graph/kind-tile';
import { kindOfNode, typeOfKind } from '../graph/kinds';
import { ChatDock } from './chat/chat-panel';
import { CanvasView } from './canvas/canvas-view';
import { DataPanels } from './data/data-panels';
import { useEditor } from './editor-context';
import { NodeForm } from './form/node-form';
import { focusNode } from './operations/node-keys';
import { OutlineView } from './outline/outline-view';
import { NodeProblems } from './head/problem-list';
import { ListenSection } from './run/listen-section';
import { RegistrationSection } from './run/registration-section';

const PANEL: SplitLimits = { min: 280, max: 720, initial: 400 };
const DRAWER: SplitLimits = { min: 96, max: 640, initial: 240 };

/** Title of the open node, and its form. */
const Panel = ({ name }: { name: string }) => {
  const { document, kinds, open } = useEditor();
  const node = document.definition.nodes.find((one) => one.name === name);
  const kind = kindOfNode(node?.type ?? '');
  const type = typeOfKind(kinds, kind);
  const version = node?.typeVersion ?? type?.versions.at(-1);
  return (
    <>
      <header className="ph">
        <KindTile kind={kind} type={type} />
        <span className="grow">
          <b className="pt clip" title={name}>
            {name}
          </b>
          <small className="faint">
            {type?.label ?? node?.type}
            {version !== undefined && ` · version ${version}`}
          </small>
        </span>
        <button type="button" className="btn quiet icon" aria-label="Close" onClick={() => open(undefined)}>
          <Icon name="close" />
        </button>
      </header>
      <NodeProblems name={name} />
      {node !== undefined && <ListenSection node={node} />}
      {type?.isTrigger === true && <RegistrationSection name={name} />}
      <NodeForm key={name} name={name} />
    </>
  );
};

/** In a narrow window the form takes the place of the nodes, and of the focus: it moves there and back. */
const useMovedFocus = (panel: RefObject<HTMLElement | null>, opened: string | undefined, isNarrow: boolean): void => {
  const before = useRef(opened);
  useEffect(() => {
    const left = before.current;
    before.current = opened;
    if (!isNarrow || left === opened) return;
    if (opened !== undefined) panel.current?.focus();
    else if (left !== undefined) focusNode(left);
  }, [panel, opened, isNarrow]);
};

/** Graph, form of the open node, and its data; all at once in a wide window. */
export const EditorView = () => {
  const { opened } = useEditor();
  const [panel, resizePanel] = useSize('editor-panel', PANEL);
  const [drawer, resizeDrawer] = useSize('editor-drawer', DRAWER);
  const isNarrow = useNarrow();
  const [chosen, choose] = useState<'graph' | 'outline'>();
  const shown = chosen ?? (isNarrow ? 'outline' : 'graph');
  const isBare = opened === undefined;
  const form = useRef<HTMLElement>(null);
  useMovedFocus(form, opened, isNarrow);
  const sizes = {
    gridTemplateColumns: `minmax(0, 1fr) auto min(${panel}px, 60%)`,
    gridTemplateRows: `minmax(0, 1fr) auto min(${drawer}px, 65%)`,
  };
  return (
    <div className={`ed${isBare ? ' ed-bare' : ''}`} style={isBare ? {} : sizes}>
      <div className="ed-graph">
        {shown === 'graph' ? <CanvasView /> : <OutlineView />}
        <div className="seg ed-shown" role="group" aria-label="Show nodes as">
          <button type="button" aria-pressed={shown === 'graph'} onClick={() => choose('graph')}>
            Graph
          </button>
          <button type="button" aria-pressed={shown === 'outline'} onClick={() => choose('outline')}>
            Outline
          </button>
        </div>
        <ChatDock />
      </div>
      {opened !== undefined && (
        <>
          <Splitter axis="x" label="Width of the form" size={panel} limits={PANEL} resize={resizePanel} />
          <aside ref={form} className="panel" aria-label={opened} tabIndex={-1}>
            <Panel name={opened} />
          </aside>
          <Splitter axis="y" label="Height of the data" size={drawer} limits={DRAWER} resize={resizeDrawer} />
          <section className="ed-data" aria-label={`Data of ${opened}`}>
            <DataPanels name={opened} />
          </section>
        </>
      )}
    </div>
  );
};
