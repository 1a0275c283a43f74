import { WeftError } from '@weft/client';
import { isChanged, type MergeConflict, mergeServer, mergeWorkflows, recordSave, type Side } from '@weft/workflow-edit';
import { queryClient } from '../../../api/queries';
import { errorText } from '../../../ui/values/format';
import { notify } from '../../../ui/overlays/toast';
import { problemsOf } from '../problems';
import type { EditorSession } from '../session';
import {
  readStoredWorkflow,
  remarksOf,
  replaceDefinition,
  type StoredWorkflow,
  storedWorkflowQuery,
} from '../stored-workflow';

/** Others may save between a merge and the save that follows it; after this number of merges, the user is asked. */
const MAX_MERGES = 3;

const isConflict = (error: unknown): boolean => error instanceof WeftError && error.status === 412;

const savedText = (isLive: boolean, isMerged: boolean): string =>
  `Saved${isMerged ? ', merged with changes made elsewhere' : ''}${isLive ? '. The changes are live.' : ''}`;

/** Sends the document once. @throws WeftError */
const send = async (session: EditorSession): Promise<void> => {
  const sent = session.editing.get().history.document;
  const warnings = await replaceDefinition(session.workflowId, sent, session.stored.get().summary.etag);
  session.problems.set(problemsOf(sent, 'warning', warnings));
  const next = await readStoredWorkflow(session.workflowId);
  session.stored.set(next);
  session.newer.set(undefined);
  session.change((before) => recordSave(before, sent, next.document));
  queryClient.setQueryData(storedWorkflowQuery(session.workflowId).queryKey, next);
};

/** Continues with a merge of the work and a newer version. @param choose as in `mergeWorkflows` */
const merge = (session: EditorSession, theirs: StoredWorkflow, choose?: (conflict: MergeConflict) => Side): boolean =>
  session.change((before) => {
    const { document } = mergeWorkflows(before.saved, before.history.document, theirs.document, choose);
    session.stored.set(theirs);
    session.newer.set(undefined);
    return mergeServer(before, document, theirs.document);
  });

/** Takes over what others saved. Returns false if the user has to decide. @throws WeftError */
const rebase = async (session: EditorSession): Promise<boolean> => {
  const theirs = await readStoredWorkflow(session.workflowId);
  const { saved, history } = session.editing.get();
  if (theirs.summary.versionId === session.stored.get().summary.versionId) {
    // Activated or deactivated, for example: the definition is the same.
    session.stored.set({ ...session.stored.get(), summary: theirs.summary });
    return true;
  }
  const { conflicts } = mergeWorkflows(saved, history.document, theirs.document);
  if (conflicts.length === 0) return merge(session, theirs);
  session.conflict.set({ mine: history.document, theirs, conflicts });
  return false;
};

const showFailure = (session: EditorSession, error: unknown): void => {
  if (error instanceof WeftError) {
    const sent = session.editing.get().history.document;
    session.problems.set(problemsOf(sent, 'error', remarksOf(error.details['fields'])));
  }
  notify('Could not save the workflow', 'error', errorText(error));
};

/**
 * Saves the work on a workflow. Changes that others saved meanwhile are merged; `conflict` is set if that needs
 * decisions. A failure is shown as a message, and at the nodes that it is about. Returns true if the server has all
 * of the work.
 */
export const saveWorkflow = async (session: EditorSession, isMerged = false): Promise<boolean> => {
  if (!(isMerged || isChanged(session.editing.get()))) return true;
  if (session.isSaving.get()) return false;
  session.isSaving.set(true);
  const before = session.stored.get().summary.versionId;
  let hasMerged = isMerged;
  try {
    for (let merges = 0; ; merges += 1)
      try {
        await send(session);
        break;
      } catch (error) {
        if (!isConflict(error) || merges >= MAX_MERGES) throw error;
        if (!(await rebase(session))) return false;
        hasMerged ||= session.stored.get().summary.versionId !== before;
      }
    void queryClient.invalidateQueries({ queryKey: ['workflows'] });
    void queryClient.invalidateQueries({ queryKey: ['workflow', session.workflowId] });
    void queryClient.invalidateQueries({ queryKey: ['versions', session.workflowId] });
    void queryClient.invalidateQueries({ queryKey: ['schedule', session.workflowId] });
    notify(savedText(session.stored.get().summary.active, hasMerged));
    return true;
  } catch (error) {
    showFailure(session, error);
    return false;
  } finally {
    session.isSaving.set(false);
  }
};

/** Merges with the decisions of the user, and saves the result. */
export const saveMerged = async (session: EditorSession, choose: (conflict: MergeConflict) => Side): Promise<void> => {
  const conflict = session.conflict.get();
  session.conflict.set(undefined);
  if (conflict !== undefined && merge(session, conflict.theirs, choose)) await saveWorkflow(session, true);
};
