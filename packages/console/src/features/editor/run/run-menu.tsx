import type { RunTarget } from '@weft/workflow-edit';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useMay } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { MenuButton, type MenuEntry } from '../../../ui/overlays/menu';
import { wordOf } from '../../../ui/runs/run-state';
import { notify } from '../../../ui/overlays/toast';
import { useEditor } from '../editor-context';
import { PlanDialog } from './plan-dialog';
import { useListen, useWaiting, webhooksOf } from './listening';
import { obstacleOf, planText } from './run-target';
import { useCurrentRun, useStartRun } from './use-run';
import { type PlannedRun, useRunPlan } from './use-run-plan';

/** Webhooks in the menu; the form of each has a button as well. */
const MAX_WEBHOOKS = 5;

const ALL: RunTarget = { mode: 'all' };

/** Ctrl Enter runs everything, Shift Ctrl Enter up to the open node; from anywhere in the editor. */
const useRunKeys = (run: (isPartial: boolean) => void): void => {
  const current = useRef(run);
  useEffect(() => {
    current.current = run;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.altKey || event.repeat) return;
      event.preventDefault();
      current.current(event.shiftKey);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
};

const Runner = () => {
  const { opened, document } = useEditor();
  const listen = useListen();
  const { waiting } = useWaiting();
  const planOf = useRunPlan();
  const start = useStartRun();
  const { state, isRunning, cancel } = useCurrentRun();
  const [asked, ask] = useState<PlannedRun>();
  // A run that was shown before is no news.
  const isStarted = start.isSuccess;
  const begin = (target: RunTarget): void => {
    const planned = planOf(target);
    const obstacle = obstacleOf(target, planned.plan, planned.previous);
    if (obstacle !== undefined) notify('Cannot run this', 'error', obstacle);
    else if (target.mode === 'all') start.mutate(planned);
    else ask(planned);
  };
  const main = useMemo((): RunTarget => (opened === undefined ? ALL : { mode: 'to', node: opened }), [opened]);
  const plan = useMemo(() => planOf(main).plan, [planOf, main]);
  useRunKeys((isPartial) => {
    if (!start.isPending && !isRunning && asked === undefined) begin(isPartial ? main : ALL);
  });
  const entryOf = (label: string, target: RunTarget): MenuEntry => {
    const planned = planOf(target);
    const obstacle = obstacleOf(target, planned.plan, planned.previous);
    return {
      label,
      icon: 'play',
      isDisabled: obstacle !== undefined,
      hint: obstacle ?? planText(planned.plan),
      act: () => begin(target),
    };
  };
  // Planning takes time for large graphs, so the plans of all targets are made only for an open menu.
  const entries = (): MenuEntry[] => [
    entryOf('Everything', ALL),
    ...(opened === undefined
      ? []
      : [
          entryOf('Up to the open node', { mode: 'to', node: opened }),
          entryOf('From the open node', { mode: 'from', node: opened }),
          entryOf('Only the open node', { mode: 'only', node: opened }),
        ]),
    ...webhooksOf(document)
      .slice(0, MAX_WEBHOOKS)
      .map((node): MenuEntry => ({
        id: `listen ${node}`,
        label: `Listen for a call of ${node}`,
        icon: 'webhook',
        isDisabled: listen.isPending || waiting?.node === node,
        hint: waiting?.node === node ? 'The editor waits for it.' : 'Runs the draft with the data of one call.',
        act: () => listen.mutate(node),
      })),
  ];
  const announcer = (
    <p className="sr" role="status">
      {state === undefined || !isStarted ? '' : `The run: ${wordOf(state)}`}
    </p>
  );
  if (isRunning)
    return (
      <>
        {announcer}
        <button type="button" className="btn" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          <Icon name="close" />
          Cancel run
        </button>
      </>
    );
  return (
    <>
      {announcer}
      <span className="split">
        <button
          type="button"
          className="btn primary"
          title={opened === undefined ? 'Run everything (Ctrl Enter)' : `Run up to ${opened} (Shift Ctrl Enter)`}
          disabled={start.isPending}
          onClick={() => begin(main)}
        >
          <Icon name="play" />
          <span className="only-wide">{opened === undefined ? 'Run' : planText(plan)}</span>
          <span className="only-narrow">Run</span>
        </button>
        <MenuButton label="Ways to run" className="btn primary" entries={entries}>
          <Icon name="down" size={12} />
        </MenuButton>
      </span>
      {asked !== undefined && (
        <PlanDialog planned={asked} start={() => start.mutate(asked)} close={() => ask(undefined)} />
      )}
    </>
  );
};

/** Runs the draft: everything, or some nodes with the output that others gave before. */
export const RunMenu = () => (useMay('workflows:write') ? <Runner /> : null);
