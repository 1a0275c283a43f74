import type { WorkflowSummary } from '@weft/client';
import { Icon, type IconName } from '../../ui/icon';

type Trigger = NonNullable<WorkflowSummary['triggers']>[number];

const KINDS: ReadonlyMap<string, { readonly icon: IconName; readonly text: string }> = new Map([
  ['webhook', { icon: 'webhook', text: 'Webhook' }],
  ['formTrigger', { icon: 'file', text: 'Form' }],
  ['langchain.mcpTrigger', { icon: 'webhook', text: 'MCP server' }],
  ['scheduleTrigger', { icon: 'calendar', text: 'Schedule' }],
  ['cron', { icon: 'calendar', text: 'Schedule' }],
  ['interval', { icon: 'calendar', text: 'Schedule' }],
  ['manualTrigger', { icon: 'zap', text: 'Started by hand' }],
  ['start', { icon: 'zap', text: 'Started by hand' }],
  ['executeWorkflowTrigger', { icon: 'workflow', text: 'Called by workflows' }],
  ['errorTrigger', { icon: 'alert', text: 'After errors' }],
]);

/** What is shown before the path of a trigger without methods. */
const BEFORE_PATH: ReadonlyMap<string, string> = new Map([
  ['formTrigger', 'Form'],
  ['langchain.mcpTrigger', 'MCP'],
]);

const shown = ({ kind, path, methods }: Trigger): { icon: IconName; text: string } => {
  const { icon, text } = KINDS.get(kind) ?? { icon: 'clock' as const, text: kind };
  if (path === undefined) return { icon, text };
  const before = BEFORE_PATH.get(kind) ?? methods ?? '';
  return { icon, text: `${before} /${path}`.trim() };
};

/** How a workflow starts: the trigger that says most, and how many others there are. */
export const TriggerText = ({ triggers }: { triggers: readonly Trigger[] | undefined }) => {
  const [first, ...others] = [...(triggers ?? [])].sort(
    (one, other) => Number(one.kind === 'manualTrigger') - Number(other.kind === 'manualTrigger'),
  );
  if (first === undefined) return <span className="faint">{triggers === undefined ? '' : 'No trigger'}</span>;
  const { icon, text } = shown(first);
  return (
    <span className="trig" title={text}>
      <Icon name={icon} />
      <span className="clip">{text}</span>
      {others.length > 0 && <span className="count">+{others.length}</span>}
    </span>
  );
};
