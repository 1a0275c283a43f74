import { isJsonObject, type Json } from '@weft/node-catalogue/definitions';
import { pinItems, unpinItems } from '@weft/workflow-edit';
import { pinnedText, readPinned } from '@weft/workflow-edit/form';
import { useState } from 'react';
import { ITEMS_PAGE } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { useEditor } from '../editor-context';
import { CodeField } from '../expression/code-field';
import { Items, type View } from './items-view';

/** Pinned items of a node; undefined without pins. */
export const usePins = (name: string): readonly Json[] | undefined => {
  const { document } = useEditor();
  const { pinData } = document.definition;
  return Object.hasOwn(pinData, name) ? pinData[name] : undefined;
};

/** Pinned items as text, until they are valid and saved. */
export const PinEditor = ({ name, items, close }: { name: string; items: readonly Json[]; close: () => void }) => {
  const { edit } = useEditor();
  const [text, setText] = useState(() => pinnedText(items));
  const read = readPinned(text);
  const save = (): void => {
    if (!read.isValid || !Array.isArray(read.value)) return;
    const { value } = read;
    edit((document) => pinItems(document, name, value));
    close();
  };
  return (
    <div className="pinedit">
      <CodeField text={text} language="json" label={`Pinned items of ${name}`} isReadOnly={false} change={setText} />
      {!read.isValid && (
        <p className="st error wraps" role="alert">
          <Icon name="error" size={12} />
          <span>{read.why}</span>
        </p>
      )}
      <p className="acts">
        <button type="button" className="btn sm primary" disabled={!read.isValid} onClick={save}>
          Pin these items
        </button>
        <button type="button" className="btn sm" onClick={close}>
          Cancel
        </button>
      </p>
    </div>
  );
};

/** The items that runs in the editor take in place of a run of the node. */
export const Pins = ({ name, items, view }: { name: string; items: readonly Json[]; view: View }) => {
  const { edit, isReadOnly } = useEditor();
  const [isEditing, setEditing] = useState(false);
  const [item, choose] = useState(0);
  if (isEditing) return <PinEditor name={name} items={items} close={() => setEditing(false)} />;
  return (
    <>
      {!isReadOnly && (
        <p className="acts pad">
          <button type="button" className="btn sm" onClick={() => setEditing(true)}>
            <Icon name="pen" size={12} />
            Edit items
          </button>
          <button type="button" className="btn sm" onClick={() => edit((document) => unpinItems(document, name))}>
            Unpin
          </button>
        </p>
      )}
      <Items
        items={items.filter(isJsonObject).slice(0, ITEMS_PAGE)}
        first={0}
        total={items.length}
        view={view}
        label="Pinned"
        current={item}
        choose={choose}
        root={undefined}
      />
    </>
  );
};
