import {
  descriptorAmong,
  type KindTable,
  kindOf,
  type NodeDefinition,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import { kindsIn } from '../descriptors/kinds-in';

/** The node at which a run begins, or the reason why there is none. */
export type StartNode =
  | { readonly kind: 'found'; readonly node: NodeDefinition }
  | { readonly kind: 'unknown-node'; readonly name: string }
  | { readonly kind: 'disabled-node'; readonly name: string }
  | { readonly kind: 'no-start-node' };

/** Purpose of a start that is not by a user or the API: a call from another workflow, or a failed execution. */
export type StartPurpose = 'call' | 'error';

const TRIGGER_FOR: Readonly<Record<StartPurpose, string>> = { call: 'executeWorkflowTrigger', error: 'errorTrigger' };

/**
 * Finds the start of a run: the named node, or by default the first trigger for the purpose, else the first manual
 * trigger or start node, else the first trigger. Disabled nodes do not count.
 */
export function startNodeOf(definition: WorkflowDefinition, startNode?: string, purpose?: StartPurpose): StartNode {
  if (startNode !== undefined) {
    const named = definition.nodes.find((node) => node.name === startNode);
    if (named === undefined) return { kind: 'unknown-node', name: startNode };
    return named.disabled === true ? { kind: 'disabled-node', name: startNode } : { kind: 'found', node: named };
  }
  const enabled = definition.nodes.filter((node) => node.disabled !== true);
  const meant = purpose === undefined ? undefined : enabled.find((one) => kindOf(one.type) === TRIGGER_FOR[purpose]);
  const kinds = kindsIn(definition);
  const node =
    meant ??
    enabled.find((one) => kindOf(one.type) === 'manualTrigger') ??
    enabled.find((one) => isTrigger(one, kinds));
  return node === undefined ? { kind: 'no-start-node' } : { kind: 'found', node };
}

/** True if the node's kind is a trigger. @param kinds see `kindsIn` */
export function isTrigger(node: NodeDefinition, kinds: KindTable): boolean {
  return descriptorAmong(node, kinds)?.isTrigger === true;
}
