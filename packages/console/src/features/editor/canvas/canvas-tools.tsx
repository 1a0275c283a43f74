import { useReactFlow } from '@xyflow/react';
import { moveNodes } from '@weft/workflow-edit';
import { Icon } from '../../../ui/icon';
import { FIT, Zoom } from '../../graph/zoom';
import { addNote } from '../operations/add-node';
import { useEditor } from '../editor-context';
import { type CanvasModel, toDefinition } from './canvas-model';

/** Buttons on the canvas: add, tidy up, zoom. */
export const CanvasTools = ({ model, stretch }: { model: CanvasModel; stretch: number }) => {
  const editor = useEditor();
  const { fitView, screenToFlowPosition } = useReactFlow();
  const tidy = async (): Promise<void> => {
    const { autoLayout } = await import('./auto-layout');
    const places = autoLayout(model);
    editor.edit((now) =>
      moveNodes(now, new Map([...places].map(([name, [x, y]]) => [name, toDefinition(x, y, stretch)]))),
    );
    requestAnimationFrame(() => void fitView(FIT));
  };
  const note = (): void => {
    const canvas = document.querySelector('.ed-flow')?.getBoundingClientRect();
    const { x, y } = screenToFlowPosition({ x: (canvas?.left ?? 0) + 80, y: (canvas?.top ?? 0) + 80 });
    addNote(editor, toDefinition(x, y, stretch));
  };
  return (
    <>
      {!editor.isReadOnly && (
        <div className="zoom ed-tools" role="group" aria-label="Edit the graph">
          <button
            type="button"
            className="btn quiet"
            aria-label="Add node"
            title="Add node (A)"
            onClick={() => editor.ask({ kind: 'palette', anchor: {} })}
          >
            <Icon name="plus" />
          </button>
          <button type="button" className="btn quiet" aria-label="Add note" title="Add note" onClick={note}>
            <Icon name="file" />
          </button>
          <button
            type="button"
            className="btn quiet"
            aria-label="Tidy up"
            title="Place all nodes again, from left to right"
            disabled={model.nodes.length === 0}
            onClick={() => void tidy()}
          >
            <Icon name="tidy" />
          </button>
        </div>
      )}
      <Zoom />
    </>
  );
};
