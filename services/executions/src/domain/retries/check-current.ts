import type { FieldError } from '@weft/service-kit/errors';
import { RetryNotPossible } from '../state/errors';
import type { WorkflowVersion } from '../state/workflow-version';

interface Graph {
  /** Kind by name of the node. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Outgoing connections of a node, as JSON. */
  readonly leadsTo: (node: string) => string;
}

interface Definition {
  readonly nodes?: readonly { readonly name?: unknown; readonly type?: unknown }[];
  readonly connections?: Readonly<Record<string, { readonly main?: unknown }>>;
}

/** The kind without the package of a type: the same kind in another package is the same kind. */
const kindOf = (type: unknown): string => String(type).split('.').at(-1) ?? '';

const graphOf = ({ definition }: WorkflowVersion): Graph => {
  const { nodes = [], connections = {} }: Definition = JSON.parse(definition.toString('utf8'));
  return {
    kinds: new Map(nodes.map(({ name, type }) => [String(name), kindOf(type)])),
    leadsTo: (node) => JSON.stringify((Object.hasOwn(connections, node) ? connections[node]?.main : undefined) ?? []),
  };
};

const faultOf = (node: string, before: Graph, now: Graph): FieldError[] => {
  const kind = now.kinds.get(node);
  if (kind === undefined)
    return [{ field: node, message: 'This node already ran and has since been removed from the workflow.' }];
  if (kind !== before.kinds.get(node))
    return [{ field: node, message: 'This node already ran and has since changed type.' }];
  return before.leadsTo(node) === now.leadsTo(node)
    ? []
    : [{ field: node, message: 'This node already ran and its connections have since changed.' }];
};

/**
 * Checks that a run can continue in another version of its workflow: nodes that have run exist, have the same kind, and
 * lead to the same nodes. Parameters may differ: earlier results are unchanged, and later nodes use the new version.
 * @throws RetryNotPossible
 */
export const checkCurrent = (
  executionId: string,
  ran: ReadonlySet<string>,
  original: WorkflowVersion,
  current: WorkflowVersion,
): void => {
  if (original.versionId === current.versionId) return;
  const [before, now] = [graphOf(original), graphOf(current)];
  const fields = [...ran].flatMap((node) => faultOf(node, before, now));
  if (fields.length > 0)
    throw new RetryNotPossible(
      executionId,
      'the workflow has changed before the node that failed. Retry it from the start, or with its original ' +
        'version.',
      fields,
    );
};
