import { moveNodes } from '@weft/workflow-edit';
import { type RefObject, useRef, useState } from 'react';
import { Modal } from '../../../ui/overlays/dialog';
import { useEditor } from '../editor-context';
import { nodeElement } from '../operations/node-keys';

const LIMIT = 100_000;

const CoordinateField = ({
  field,
  label,
  value,
  change,
}: {
  field?: RefObject<HTMLInputElement | null>;
  label: string;
  value: string;
  change: (text: string) => void;
}) => (
  <label className="ed-setting grow">
    <span>{label}</span>
    <span className="field">
      <input
        ref={field}
        type="number"
        step={20}
        min={-LIMIT}
        max={LIMIT}
        value={value}
        onChange={({ target }) => change(target.value)}
      />
    </span>
  </label>
);

/** Moves a node by its coordinates: the alternative to dragging it. */
export const MoveDialog = ({ node, close }: { node: string; close: () => void }) => {
  const { document, edit } = useEditor();
  const [[firstX, firstY]] = useState(() => {
    const position = document.definition.nodes.find(({ name }) => name === node)?.position ?? [0, 0];
    return [position];
  });
  const field = useRef<HTMLInputElement>(null);
  const [x, setX] = useState(String(firstX));
  const [y, setY] = useState(String(firstY));
  const [toX, toY] = [Number(x), Number(y)];
  const isValid = [x, y].every((text) => text.trim() !== '') && Math.abs(toX) <= LIMIT && Math.abs(toY) <= LIMIT;
  return (
    <Modal title={`Move ${node}`} close={close} initialFocus={field} finalFocus={() => nodeElement(node)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isValid) return;
          edit((now) => moveNodes(now, new Map([[node, [toX, toY]]])));
          close();
        }}
      >
        <div className="dbody">
          <div className="line">
            <CoordinateField field={field} label="Pixels from the left" value={x} change={setX} />
            <CoordinateField label="Pixels from the top" value={y} change={setY} />
          </div>
          <p className="soft">Of several branches, the one that begins higher runs first.</p>
        </div>
        <div className="dfoot">
          <button type="button" className="btn" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="btn primary" disabled={!isValid}>
            Move
          </button>
        </div>
      </form>
    </Modal>
  );
};
