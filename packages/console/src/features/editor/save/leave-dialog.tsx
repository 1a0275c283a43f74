import { useBlocker } from '@tanstack/react-router';
import { isChanged } from '@weft/workflow-edit';
import { Modal } from '../../../ui/overlays/dialog';
import type { EditorSession } from '../session';
import { eraseDraft } from './drafts';

/** Asks before the user leaves unsaved work. */
export const LeaveDialog = ({ session }: { session: EditorSession }) => {
  const hasWork = (): boolean => isChanged(session.editing.get());
  const blocker = useBlocker({
    // Other views of this workflow keep the work.
    shouldBlockFn: ({ current, next }) => hasWork() && current.pathname !== next.pathname,
    // A kept draft is offered after a reload.
    enableBeforeUnload: () => hasWork() && !session.isKept.get(),
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  const { proceed, reset } = blocker;
  const discard = async (): Promise<void> => {
    const { saved } = session.editing.get();
    session.change((before) => ({ ...before, history: { document: saved, undo: [], redo: [] } }));
    await eraseDraft(session.workflowId);
    proceed();
  };
  return (
    <Modal title="Leave with unsaved changes?" close={reset}>
      <div className="dbody">
        <p>
          {session.isKept.get()
            ? 'This browser keeps the changes as a draft until you sign out. They are offered when you open the workflow again.'
            : 'The changes are not kept if you leave.'}
        </p>
      </div>
      <div className="dfoot">
        <button type="button" className="btn" onClick={() => void discard()}>
          Discard them
        </button>
        <span className="grow" />
        <button type="button" className="btn" onClick={reset}>
          Stay
        </button>
        {session.isKept.get() && (
          <button type="button" className="btn primary" onClick={proceed}>
            Keep them and leave
          </button>
        )}
      </div>
    </Modal>
  );
};
