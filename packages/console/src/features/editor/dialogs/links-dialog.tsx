import { connect, type NodeBox } from '@weft/workflow-edit';
import { useRef, useState } from 'react';
import { Modal } from '../../../ui/overlays/dialog';
import { Icon } from '../../../ui/icon';
import { nounOf } from '../operations/attachments';
import { unlink } from '../operations/commands';
import { useEditor } from '../editor-context';
import { linkId, linksOfDocument, type TypedLink } from '../operations/links';
import { nodeElement } from '../operations/node-keys';
import { boxesOf } from '../operations/ports';
import { endsOf, fittingPorts, linkBetween, type LinkEndChoice } from './link-choices';

const Select = ({
  label,
  value,
  choices,
  change,
}: {
  label: string;
  value: string;
  choices: readonly (readonly [string, string])[];
  change: (value: string) => void;
}) => (
  <label className="ed-setting grow">
    <span>{label}</span>
    <span className="picker">
      <select value={value} onChange={({ target }) => change(target.value)}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </span>
  </label>
);

/** True for a node that an end can be connected to. A node may follow itself, and cannot be its own sub-node. */
const isTarget = (box: NodeBox, node: string, end: LinkEndChoice): boolean =>
  fittingPorts(box, end).length > 0 && (box.name !== node || end.port.type === 'main');

/** Links of a node, each with buttons that insert a node into it and remove it. */
const Existing = ({ node, insert }: { node: string; insert: (link: TypedLink) => void }) => {
  const editor = useEditor();
  const links = linksOfDocument(editor.document).filter(({ from, to }) => from === node || to === node);
  if (links.length === 0) return <p className="soft">It is not connected yet.</p>;
  const textOf = ({ from, output, to, type }: TypedLink): string => {
    const port = boxesOf(editor)
      .get(from)
      ?.outputs.find((one) => one.type === type && one.index === output);
    if (type !== 'main') return from === node ? `${nounOf(type)} of ${to}` : `${nounOf(type)}: ${from}`;
    const label = port?.label ?? '';
    return from === node ? `${label} → ${to}`.trim() : `from ${from} ${label}`.trim();
  };
  return (
    <ul className="ed-links" aria-label="Connections">
      {links.map((link) => (
        <li key={linkId(link)}>
          <span className="grow clip">{textOf(link)}</span>
          {link.type === 'main' && (
            <button
              type="button"
              className="btn quiet icon"
              aria-label={`Insert a node into the connection ${textOf(link)}`}
              title="Insert a node"
              onClick={() => insert(link)}
            >
              <Icon name="plus" />
            </button>
          )}
          <button
            type="button"
            className="btn quiet icon"
            aria-label={`Remove the connection ${textOf(link)}`}
            onClick={() => unlink(editor, link)}
          >
            <Icon name="trash" />
          </button>
        </li>
      ))}
    </ul>
  );
};

/** Connects a node and removes its links: the alternative to dragging from port to port. */
export const LinksDialog = ({ node, close }: { node: string; close: () => void }) => {
  const editor = useEditor();
  const boxes = boxesOf(editor);
  const ends = endsOf(boxes.get(node) ?? { inputs: [], outputs: [] });
  const [chosen, choose] = useState(ends[0]?.key ?? '');
  const end = ends.find(({ key }) => key === chosen) ?? ends[0];
  const targets = end === undefined ? [] : [...boxes.values()].filter((box) => isTarget(box, node, end));
  const [target, setTarget] = useState('');
  const to = (targets.find(({ name }) => name === target) ?? targets.find(({ name }) => name !== node))?.name ?? node;
  const [input, setInput] = useState('0');
  const inputs = end === undefined ? [] : fittingPorts(boxes.get(to), end);
  const hasTypes = ends.some(({ port }) => port.type !== 'main');
  // The palette takes the focus, and keeps it.
  const isLeft = useRef(false);
  const canConnect = end !== undefined && targets.length > 0;
  return (
    <Modal
      title={`Connections of ${node}`}
      close={close}
      finalFocus={() => (isLeft.current ? false : nodeElement(node))}
    >
      <div className="dbody">
        <Existing
          node={node}
          insert={(link) => {
            isLeft.current = true;
            editor.ask({ kind: 'palette', anchor: { link } });
          }}
        />
        <div className="ed-connect">
          {ends.length > 1 && (
            <Select
              label={hasTypes ? 'Connection' : 'From output'}
              value={end?.key ?? ''}
              choices={ends.map(({ key, text }) => [key, text] as const)}
              change={(key) => {
                choose(key);
                setInput('0');
              }}
            />
          )}
          {canConnect && (
            <Select
              label="Connect to"
              value={to}
              choices={targets.map(({ name }) => [name, name] as const)}
              change={(name) => {
                setTarget(name);
                setInput('0');
              }}
            />
          )}
          {inputs.length > 1 && (
            <Select
              label="Input"
              value={input}
              choices={inputs.map(({ index, label }) => [String(index), label ?? String(index + 1)] as const)}
              change={setInput}
            />
          )}
        </div>
        {!canConnect && <p className="soft">There is no other node that it could be connected to.</p>}
      </div>
      <div className="dfoot">
        <button type="button" className="btn" onClick={close}>
          Close
        </button>
        {canConnect && (
          <button
            type="button"
            className="btn primary"
            onClick={() => editor.edit((now) => connect(now, linkBetween(node, end, to, Number(input))))}
          >
            Connect
          </button>
        )}
      </div>
    </Modal>
  );
};
