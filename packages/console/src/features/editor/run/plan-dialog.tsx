import { useRef } from 'react';
import { Modal } from '../../../ui/overlays/dialog';
import { plural } from '../../../ui/values/format';
import { Icon, type IconName } from '../../../ui/icon';
import { planText } from './run-target';
import type { PlannedRun } from './use-run-plan';

const MAX_SHOWN = 100;

const Nodes = ({ title, icon, names }: { title: string; icon: IconName; names: readonly string[] }) =>
  names.length === 0 ? null : (
    <section className="run-list">
      <h3>
        <Icon name={icon} />
        {title}
        <span className="faint num">{names.length}</span>
      </h3>
      <ul>
        {names.slice(0, MAX_SHOWN).map((name) => (
          <li key={name} className="clip" title={name}>
            {name}
          </li>
        ))}
        {names.length > MAX_SHOWN && <li className="soft">and {plural(names.length - MAX_SHOWN, 'more node')}</li>}
      </ul>
    </section>
  );

/** Says which nodes run, which do not, and where their items come from; before anything runs. */
export const PlanDialog = ({
  planned,
  start,
  close,
}: {
  planned: PlannedRun;
  start: () => void;
  close: () => void;
}) => {
  const { run, reused, pinned } = planned.plan;
  const go = useRef<HTMLButtonElement>(null);
  return (
    <Modal title="Run some nodes" close={close} initialFocus={go}>
      <div className="dbody run-plan">
        <Nodes title="Run" icon="play" names={run} />
        <Nodes title="Reuse their last output" icon="success" names={reused} />
        <Nodes title="Use their pinned items" icon="pin" names={pinned} />
        <p className="soft">
          The draft runs as it is on the screen. Nodes that run send their requests; the others do not run again.
        </p>
      </div>
      <div className="dfoot">
        <button type="button" className="btn" onClick={close}>
          Cancel
        </button>
        <button
          ref={go}
          type="button"
          className="btn primary"
          onClick={() => {
            close();
            start();
          }}
        >
          <Icon name="play" />
          {planText(planned.plan)}
        </button>
      </div>
    </Modal>
  );
};
