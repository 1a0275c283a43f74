import type { RunTarget } from '@weft/workflow-edit';
import { useEffect, useMemo, useRef } from 'react';
import { useMay } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { MenuButton, type MenuEntry } from '../../../ui/overlays/menu';
import { wordOf } from '../../../ui/runs/run-state';
import { useEditor } from '../editor-context';
import { useListen, useWaiting, webhooksOf } from './listening';
import { obstacleOf, planText } from './run-target';
import { useBeginRun } from './use-begin-run';
import { useCurrentRun } from './use-run';

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

/** Keeps the focus among buttons that are replaced when a run begins or ends. */
const useKeptFocus = (isRunning: boolean) => {
  const inside = useRef<HTMLSpanElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      // The dialog gives the focus back to the button that opened it.
      if (target instanceof Element && target.closest('.dialog') !== null) return;
      hadFocus.current = target instanceof Node && inside.current?.contains(target) === true;
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, []);
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) inside.current?.querySelector('button')?.focus();
  }, [isRunning]);
  return inside;
};

const Runner = () => {
  const { opened, document } = useEditor();
  const listen = useListen();
  const { waiting } = useWaiting();
  const { planOf, begin, isPending, isStarted, asked, dialog } = useBeginRun();
  const { state, isRunning, cancel } = useCurrentRun();
  const buttons = useKeptFocus(isRunning);
  const main = useMemo((): RunTarget => (opened === undefined ? ALL : { mode: 'to', node: opened }), [opened]);
  const plan = useMemo(() => planOf(main).plan, [planOf, main]);
  useRunKeys((isPartial) => {
    if (!isPending && !isRunning && asked === undefined) begin(isPartial ? main : ALL);
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
      <span ref={buttons}>
        {announcer}
        <button type="button" className="btn" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          <Icon name="close" />
          Cancel run
        </button>
      </span>
    );
  return (
    <span ref={buttons}>
      {announcer}
      <span className="split">
        <button
          type="button"
          className="btn primary"
          title={opened === undefined ? 'Run everything (Ctrl Enter)' : `Run up to ${opened} (Shift Ctrl Enter)`}
          disabled={isPending}
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
      {dialog}
    </span>
  );
};

/** Runs the draft: everything, or some nodes with the output that others gave before. */
export const RunMenu = () => (useMay('workflows:write') ? <Runner /> : null);
