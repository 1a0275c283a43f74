import { Icon, type IconName } from '../../ui/icon';

/** How a node is marked. */
export interface NodeMark {
  readonly tone: 'success' | 'error' | 'running' | 'waiting' | 'neutral';
  readonly icon: IconName;
  /** Short text in the badge. */
  readonly text: string;
  /** The state in words, for screen readers. */
  readonly label: string;
}

/** What is drawn on a graph, by the name of the node or the id of the connection. */
export interface GraphMarks {
  readonly nodes: ReadonlyMap<string, NodeMark>;
  /** Number of items that passed, by the id of the connection. */
  readonly items: ReadonlyMap<string, number>;
  /** True if nodes without a mark are shown as not reached. */
  readonly isRun: boolean;
}

export const NO_MARKS: GraphMarks = { nodes: new Map(), items: new Map(), isRun: false };

/** The mark at the corner of a node. */
export const MarkBadge = ({ mark: { tone, icon, text } }: { mark: NodeMark }) => (
  <span className={`badge ${tone}`}>
    <Icon name={icon} size={12} spin={tone === 'running'} />
    {text}
  </span>
);
