import type { RunTarget } from '@weft/workflow-edit';
import { useState } from 'react';
import { notify } from '../../../ui/overlays/toast';
import { PlanDialog } from './plan-dialog';
import { obstacleOf } from './run-target';
import { useStartRun } from './use-run';
import { type PlannedRun, useRunPlan } from './use-run-plan';

/** Begins runs of the draft. Those of some nodes ask first, in a dialog that the caller renders. */
export const useBeginRun = () => {
  const planOf = useRunPlan();
  const start = useStartRun();
  const [asked, ask] = useState<PlannedRun>();
  const begin = (target: RunTarget): void => {
    const planned = planOf(target);
    const obstacle = obstacleOf(target, planned.plan, planned.previous);
    if (obstacle !== undefined) notify('Cannot run this', 'error', obstacle);
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
