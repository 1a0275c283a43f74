import { Modal } from '../ui/overlays/dialog';
import { useStore } from '../ui/store';
import { setSingleKeys, singleKeys } from './shortcuts';

const KEYS = [
  ['Ctrl K', 'Search'],
  ['?', 'Show this help'],
  ['g o', 'Go to the overview'],
  ['g w', 'Go to workflows'],
  ['g e', 'Go to executions'],
  ['/', 'Search or filter the list'],
  ['Ctrl S', 'Save the workflow'],
  ['Ctrl Z', 'Undo, and Shift Ctrl Z to redo'],
  ['Ctrl Enter', 'Run the workflow, and Shift Ctrl Enter up to the open node'],
  ['A', 'Add a node'],
  ['Escape', 'Go from the form back to the node'],
  ['F1', 'Explain the field'],
  ['F2', 'Rename the node'],
  ['Ctrl D', 'Duplicate the node'],
  ['D', 'Disable or enable the node'],
  ['P', 'Pin what the node gave, or unpin it'],
  ['Ctrl Enter', 'Run everything, with Shift up to the open node'],
  ['Delete', 'Delete the node'],
  ['Shift F10', 'Open the menu of the node'],
  ['1', 'Go to the nodes, 2 to the form, 3 to the data, 4 to the chat'],
] as const;

/** Shortcuts, and the switch for those of a single key. */
export const KeysDialog = ({ close }: { close: () => void }) => {
  const isOn = useStore(singleKeys);
  return (
    <Modal title="Keyboard shortcuts" close={close}>
      <dl className="keys">
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>{text}</dt>
            <dd>
              {key.split(' ').map((part) => (
                <kbd key={part}>{part}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className="line">
        <input type="checkbox" checked={isOn} onChange={({ target }) => setSingleKeys(target.checked)} />
        Use shortcuts without Ctrl
      </label>
    </Modal>
  );
};
