import type { NodeType } from '@weft/client';
import { Icon, type IconName } from '../../ui/icon';

const ICONS: ReadonlyMap<string, IconName> = new Map([
  ['webhook', 'webhook'],
  ['respondToWebhook', 'webhook'],
  ['formTrigger', 'file'],
  ['form', 'file'],
  ['scheduleTrigger', 'calendar'],
  ['manualTrigger', 'zap'],
  ['errorTrigger', 'alert'],
  ['executeWorkflow', 'workflow'],
  ['executeWorkflowTrigger', 'workflow'],
  ['if', 'split'],
  ['switch', 'split'],
  ['filter', 'split'],
  ['merge', 'git'],
  ['splitInBatches', 'retry'],
  ['wait', 'waiting'],
  ['code', 'code'],
  ['set', 'pen'],
  ['httpRequest', 'globe'],
  ['dataTable', 'table'],
  ['stopAndError', 'error'],
]);

const groupOf = (type: NodeType | undefined): string => {
  if (type === undefined) return '';
  if (type.isTrigger) return 'k-trigger';
  const [group] = type.groups;
  if (group === 'flow' || group === 'transform') return `k-${group}`;
  return 'k-io';
};

const iconOf = (kind: string, type: NodeType | undefined): IconName => {
  const icon = ICONS.get(type?.toolOf ?? kind);
  if (icon !== undefined) return icon;
  if (type === undefined) return 'alert';
  if (type.isTrigger) return 'zap';
  return type.groups.includes('transform') ? 'braces' : 'box';
};

/** The tile of a node: icon and colour of its kind. */
export const KindTile = ({ kind, type }: { kind: string; type: NodeType | undefined }) => (
  <span className={`tile ${groupOf(type)}`}>
    <Icon name={iconOf(kind, type)} />
  </span>
);
