import { isChanged } from '@weft/workflow-edit';
import { useStore } from '../../../ui/store';
import { useEditor } from '../editor-context';
import type { EditorSession } from '../session';
import { saveWorkflow } from './save-workflow';

/** Saves the workflow, and says whether that makes the changes live. */
export const SaveButton = ({ session }: { session: EditorSession }) => {
  const editing = useStore(session.editing);
  const isSaving = useStore(session.isSaving);
  const { active } = useStore(session.stored).summary;
  const { isReadOnly } = useEditor();
  if (isReadOnly) return null;
  return (
    <button
      type="button"
      className="btn"
      disabled={!isChanged(editing) || isSaving}
      title={active ? 'The workflow is active: the next runs use the saved changes' : undefined}
      onClick={() => void saveWorkflow(session)}
    >
      {isSaving ? 'Saving …' : active ? 'Save, go live' : 'Save'}
      <kbd className="only-wide">Ctrl S</kbd>
    </button>
  );
};
