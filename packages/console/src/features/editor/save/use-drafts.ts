import { useQuery } from '@tanstack/react-query';
import { isChanged, openDocument, replaceDocument, startEditing } from '@weft/workflow-edit';
import { useEffect, useState } from 'react';
import { callerQuery } from '../../../api/queries';
import { errorText } from '../../../ui/values/format';
import { notify } from '../../../ui/overlays/toast';
import type { EditorSession } from '../session';
import { type Draft, eraseDraft, keepDraft, readDraft } from './drafts';

const PAUSE_MS = 400;

/** Continues with a draft: what it began with stays its base, so that saving merges newer versions. */
const restore = (session: EditorSession, draft: Draft): void => {
  const server = session.stored.get();
  const isOld = server.summary.versionId !== draft.versionId;
  session.change(() => {
    const base = isOld ? openDocument(draft.base) : server.document;
    const restored = replaceDocument(startEditing(base), openDocument(draft.text), 'Restore the draft');
    if (isOld) {
      const { etag, versionId } = draft;
      session.stored.set({ summary: { ...server.summary, etag, versionId }, document: base });
      session.newer.set(server);
    }
    return restored;
  });
};

/** Writes drafts of a session after pauses, and at once when the page is hidden. Returns what stops it. */
const followWork = (session: EditorSession, userId: string): (() => void) => {
  let timer: number | undefined;
  let isTooLargeShown = false;
  const write = async (): Promise<void> => {
    timer = undefined;
    const editing = session.editing.get();
    const { workflowId } = session;
    if (!isChanged(editing)) return eraseDraft(workflowId);
    const { etag, versionId } = session.stored.get().summary;
    const [base, text] = [editing.saved.text, editing.history.document.text];
    const isKept = await keepDraft({ workflowId, userId, etag, versionId, base, text, savedAt: Date.now() });
    session.isKept.set(isKept && session.editing.get() === editing);
    if (isKept || isTooLargeShown) return;
    isTooLargeShown = true;
    notify('This workflow is too large for a draft', 'error', 'Save it before you close this tab.');
  };
  const writeSafely = (): void => {
    write().catch((error: unknown) => {
      session.isKept.set(false);
      if (!isTooLargeShown) notify('Your work cannot be kept in this browser', 'error', errorText(error));
      isTooLargeShown = true;
    });
  };
  const onChange = (): void => {
    session.isKept.set(false);
    window.clearTimeout(timer);
    timer = window.setTimeout(writeSafely, PAUSE_MS);
  };
  const onHidden = (): void => {
    if (timer === undefined) return;
    window.clearTimeout(timer);
    writeSafely();
  };
  const stop = session.editing.subscribe(onChange);
  document.addEventListener('visibilitychange', onHidden);
  window.addEventListener('pagehide', onHidden);
  return () => {
    stop();
    onHidden();
    document.removeEventListener('visibilitychange', onHidden);
    window.removeEventListener('pagehide', onHidden);
  };
};

/** A draft that was found when the workflow was opened, and what to do with it. */
export interface OfferedDraft {
  readonly savedAt: number;
  readonly restore: () => void;
  readonly discard: () => void;
}

/**
 * Keeps drafts of a session in this browser, and finds the one of an earlier page. While that one is offered, no other
 * is kept, as it would replace it.
 * @param isFirst false in the second tab of a workflow, whose drafts would replace those of the first
 */
export const useDrafts = (session: EditorSession, isFirst: boolean): OfferedDraft | undefined => {
  const userId = useQuery(callerQuery).data?.user.id;
  const [found, setFound] = useState<Draft | null>();
  const { workflowId } = session;
  useEffect(() => {
    if (userId === undefined) return;
    let isOver = false;
    readDraft(workflowId, userId)
      .then((draft) => {
        if (isOver) return;
        const isSame = draft === undefined || draft.text === session.editing.get().history.document.text;
        setFound(isSame ? null : draft);
      })
      .catch(() => setFound(null));
    return () => {
      isOver = true;
    };
  }, [session, workflowId, userId]);
  useEffect(() => {
    if (found === null && userId !== undefined && isFirst) return followWork(session, userId);
    return undefined;
  }, [session, userId, found, isFirst]);
  if (found === undefined || found === null || !isFirst) return undefined;
  return {
    savedAt: found.savedAt,
    restore: () => {
      restore(session, found);
      setFound(null);
    },
    discard: () => {
      void eraseDraft(workflowId);
      setFound(null);
    },
  };
};
