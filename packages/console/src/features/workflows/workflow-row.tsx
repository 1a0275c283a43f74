import type { LatestExecution, WorkflowSummary } from '@weft/client';
import { Link } from '@tanstack/react-router';
import { Check } from '../../ui/check';
import { Icon } from '../../ui/icon';
import { StateLabel } from '../../ui/runs/run-state';
import { RunStrip } from '../../ui/runs/run-strip';
import { Ago } from '../../ui/values/time';
import { ActiveSwitch } from './active-switch';
import { TriggerText } from './trigger';

interface WorkflowRowProps {
  readonly workflow: WorkflowSummary;
  /** Last executions by workflow; undefined until they were read. */
  readonly latest: ReadonlyMap<string, readonly LatestExecution[]> | undefined;
  readonly owner: string;
  readonly mayChange: boolean;
  readonly isSelected: boolean;
  readonly select: (isOn: boolean) => void;
}

const LastRun = ({ workflow, latest }: Pick<WorkflowRowProps, 'workflow' | 'latest'>) => {
  const [run] = latest?.get(workflow.id) ?? [];
  if (run === undefined) return <span className="faint">{latest === undefined ? '' : 'never run'}</span>;
  return (
    <Link className="last" to="/executions/$id" params={{ id: run.id }} search={{}}>
      <StateLabel state={run.state} />
      {run.startedAt !== null && (
        <span className="faint">
          <Ago at={run.startedAt} />
        </span>
      )}
    </Link>
  );
};

const ManagedTag = ({ managed }: { managed: NonNullable<WorkflowSummary['managed']> }) => (
  <span className="tag" title="Managed from files: changes made here are overwritten">
    <Icon name="git" size={12} />
    {managed.by === 'cli' ? 'Git' : 'Kubernetes'}
  </span>
);

/** A workflow in a wide window. */
export const WorkflowRow = ({ workflow, latest, owner, mayChange, isSelected, select }: WorkflowRowProps) => {
  const { id, name, triggers, updatedAt, active, managed } = workflow;
  const runs = latest?.get(id) ?? [];
  return (
    <tr className={isSelected ? 'sel' : undefined}>
      {mayChange && (
        <td className="checkcell">
          <Check isOn={isSelected} label={`Select ${name}`} change={select} />
        </td>
      )}
      <td className="w">
        <span className="nm">
          <Link to="/workflows/$id" params={{ id }} className="clip" title={name}>
            <b>{name}</b>
          </Link>
          {managed !== undefined && <ManagedTag managed={managed} />}
        </span>
      </td>
      <td className="trigcell">
        <TriggerText triggers={triggers} />
      </td>
      <td>
        <LastRun workflow={workflow} latest={latest} />
      </td>
      <td>{runs.length > 0 && <RunStrip runs={runs} />}</td>
      <td className="soft">{owner}</td>
      <td className="soft">
        <Ago at={updatedAt} />
      </td>
      <td>
        <ActiveSwitch id={id} name={name} active={active} mayChange={mayChange} />
      </td>
    </tr>
  );
};

/** A workflow in a narrow window. */
export const WorkflowCard = ({ workflow, latest, mayChange }: WorkflowRowProps) => {
  const { id, name, triggers, active, managed } = workflow;
  const runs = latest?.get(id) ?? [];
  return (
    <li className="wcard">
      <div className="line">
        <Link to="/workflows/$id" params={{ id }} className="grow clip">
          <b>{name}</b>
        </Link>
        {managed !== undefined && <ManagedTag managed={managed} />}
        <ActiveSwitch id={id} name={name} active={active} mayChange={mayChange} />
      </div>
      <div className="line">
        <TriggerText triggers={triggers} />
      </div>
      <div className="line">
        <span className="grow">
          <LastRun workflow={workflow} latest={latest} />
        </span>
        {runs.length > 0 && <RunStrip runs={runs} />}
      </div>
    </li>
  );
};
