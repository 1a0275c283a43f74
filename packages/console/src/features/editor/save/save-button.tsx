import { isChanged } from '@weft/workflow-edit';
import { useStore } from '../../../ui/store';
import { useEditor } from '../editor-context';
import type { EditorSession } from '../session';

/** Saves the workflow. */
export const SaveButton = ({ session }: { session: EditorSession }) => {
  const editing = useStore(session.editing);
  const isSaving = useStore(session.isSaving);
  const { isReadOnly } = useEditor();
  if (isReadOnly) return null;
  return (
    <button
      type="button"
      className="btn"
      disabled={!isChanged(editing) || isSaving}
      onClick={() => void session.save()}
    >
      {isSaving ? 'Saving …' : 'Save'}
      <kbd className="only-wide">Ctrl S</kbd>
    </button>
  );
};
