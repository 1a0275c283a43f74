import type { Management } from '@weft/client';
import type { ReactNode } from 'react';
import { useMay } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { useStore } from '../../../ui/store';
import { Ago } from '../../../ui/values/time';
import { useEditor } from '../editor-context';
import { useMakeCopy } from '../save/make-copy';
import { useOtherTab } from '../save/other-tab';
import { useDrafts } from '../save/use-drafts';
import type { EditorSession } from '../session';

const Banner = ({ children, actions }: { children: ReactNode; actions?: ReactNode }) => (
  <div className="notice ed-notice" role="status">
    <Icon name="alert" />
    <span className="grow">{children}</span>
    {actions}
  </div>
);

const Managed = ({ managed }: { managed: Management }) => {
  const mayWrite = useMay('workflows:write');
  const copy = useMakeCopy();
  return (
    <Banner
      actions={
        mayWrite && (
          <button type="button" className="btn sm" disabled={copy.isPending} onClick={() => copy.mutate()}>
            Make a copy
          </button>
        )
      }
    >
      Managed from {managed.by === 'cli' ? 'Git' : 'Kubernetes'} ({managed.source ?? managed.set}): read-only here.
    </Banner>
  );
};

/** What the user must know about this workflow: drafts, other tabs, other users, who manages it. */
export const Banners = ({ session }: { session: EditorSession }) => {
  const { isReadOnly } = useEditor();
  const { managed } = useStore(session.stored).summary;
  const newer = useStore(session.newer);
  const hasOther = useOtherTab(session.workflowId);
  const draft = useDrafts(session, !hasOther && !isReadOnly);
  return (
    <>
      {managed !== undefined && <Managed managed={managed} />}
      {managed === undefined && isReadOnly && <Banner>You may look at this workflow, but not change it.</Banner>}
      {hasOther && <Banner>This workflow is open in another tab of this browser. Edit it in one of them.</Banner>}
      {newer !== undefined && (
        <Banner>
          Someone saved another version <Ago at={newer.summary.updatedAt} />. Saving merges it with your changes.
        </Banner>
      )}
      {draft !== undefined && (
        <Banner
          actions={
            <>
              <button type="button" className="btn sm primary" onClick={draft.restore}>
                Restore them
              </button>
              <button type="button" className="btn sm" onClick={draft.discard}>
                Discard them
              </button>
            </>
          }
        >
          This browser has unsaved changes of this workflow from <Ago at={new Date(draft.savedAt).toISOString()} />.
        </Banner>
      )}
    </>
  );
};
