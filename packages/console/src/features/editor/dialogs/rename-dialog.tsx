import { MAX_NAME_LENGTH } from '@weft/node-catalogue/definitions';
import { EditError, renameNode } from '@weft/workflow-edit';
import { useRef, useState } from 'react';
import { Modal } from '../../../ui/overlays/dialog';
import { useEditor } from '../editor-context';
import { nodeElement } from '../operations/node-keys';

/** Renames a node, with all references to it. */
export const RenameDialog = ({ node, close }: { node: string; close: () => void }) => {
  const { document, edit } = useEditor();
  const [name, setName] = useState(node);
  const [error, setError] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const renamed = useRef(node);
  const rename = (): void => {
    try {
      renameNode(document, node, name.trim());
    } catch (failure) {
      if (!(failure instanceof EditError)) throw failure;
      setError(failure.message);
      return;
    }
    edit((now) => renameNode(now, node, name.trim()));
    renamed.current = name.trim();
    close();
  };
  return (
    <Modal title="Rename node" close={close} initialFocus={field} finalFocus={() => nodeElement(renamed.current)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <div className="dbody">
          <label className="ed-setting">
            <span>Name</span>
            <span className="field">
              <input
                ref={field}
                value={name}
                maxLength={MAX_NAME_LENGTH}
                aria-invalid={error !== ''}
                aria-describedby="ed-rename-help"
                onFocus={({ target }) => target.select()}
                onChange={({ target }) => {
                  setName(target.value);
                  setError('');
                }}
              />
            </span>
          </label>
          <p
            id="ed-rename-help"
            className={error === '' ? 'soft' : 'errtext'}
            role={error === '' ? undefined : 'alert'}
          >
            {error === '' ? 'Expressions and code that refer to the node follow its new name.' : error}
          </p>
        </div>
        <div className="dfoot">
          <button type="button" className="btn" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="btn primary" disabled={name.trim() === ''}>
            Rename
          </button>
        </div>
      </form>
    </Modal>
  );
};
