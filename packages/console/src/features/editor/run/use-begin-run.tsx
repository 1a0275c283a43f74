import { getRouteApi } from '@tanstack/react-router';
import { chatTriggersOf, type RunTarget } from '@weft/workflow-edit';
import { useState } from 'react';
import { notify } from '../../../ui/overlays/toast';
import { changeChat, chatOf } from '../chat/chat-state';
import { useEditor } from '../editor-context';
import { isPinned } from '../operations/commands';
import { PlanDialog } from './plan-dialog';
import { obstacleOf } from './run-target';
import { useStartRun } from './use-run';
import { type PlannedRun, useRunPlan } from './use-run-plan';

const route = getRouteApi('/workflows/$id');

/** Opens the chat instead of a run that would begin with an empty message. Returns false for other runs. */
const useAskForMessage = (): ((planned: PlannedRun) => boolean) => {
  const { workflowId, document } = useEditor();
  const navigate = route.useNavigate();
  return ({ target, plan: { startNode } }) => {
    const isChat = chatTriggersOf(document.definition).some(({ name }) => name === startNode);
    if (target.mode !== 'all' || startNode === undefined || !isChat || isPinned({ document }, startNode)) return false;
    void navigate({ search: (before) => ({ ...before, tab: undefined }) });
    changeChat(chatOf(workflowId), { isOpen: true, trigger: startNode });
    window.document.querySelector<HTMLElement>('.ed-chat textarea')?.focus();
    return true;
  };
};

/** Begins runs of the draft. Those of some nodes ask first, in a dialog that the caller renders. */
export const useBeginRun = () => {
  const planOf = useRunPlan();
  const start = useStartRun();
  const askForMessage = useAskForMessage();
  const [asked, ask] = useState<PlannedRun>();
  const begin = (target: RunTarget): void => {
    const planned = planOf(target);
    const obstacle = obstacleOf(target, planned.plan, planned.previous);
    if (obstacle !== undefined) notify('Cannot run this', 'error', obstacle);
    else if (askForMessage(planned)) return;
    else if (target.mode === 'all') start.mutate(planned);
    else ask(planned);
  };
  const dialog =
    asked === undefined ? null : (
      <PlanDialog planned={asked} start={() => start.mutate(asked)} close={() => ask(undefined)} />
    );
  // A run that was shown before is no news.
  return { planOf, begin, isPending: start.isPending, isStarted: start.isSuccess, asked, dialog };
};
