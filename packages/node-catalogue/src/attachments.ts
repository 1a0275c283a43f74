import { type AttachmentType, isAttachmentType } from './attachment-types';
import type { LinkEnd, NodeDefinition, WorkflowDefinition } from './definition';
import type { AcceptedAttachment, KindDescriptor } from './descriptor';
import { countsFor } from './port-counts';

/** A sub-node and the node that uses it. */
export interface Attachment {
  readonly type: AttachmentType;
  /** Name of the sub-node. */
  readonly from: string;
  /** Name of the node that uses it. */
  readonly to: string;
  /** Input of that type at `to`, from 0. */
  readonly port: number;
}

/**
 * All attachments between nodes that exist, in the order in which they are listed. A link whose two ends name different
 * types, or that leads from a node to itself, attaches nothing.
 */
export function attachmentsOf(definition: Pick<WorkflowDefinition, 'nodes' | 'connections'>): Attachment[] {
  const names = new Set(definition.nodes.map(({ name }) => name));
  const found: Attachment[] = [];
  const add = (type: AttachmentType, from: string, { node: to, type: endType, index: port }: LinkEnd): void => {
    if (endType === type && to !== from && names.has(to)) found.push({ type, from, to, port });
  };
  for (const [from, byType] of Object.entries(definition.connections)) {
    if (!names.has(from)) continue;
    for (const [type, outputs] of Object.entries(byType))
      if (isAttachmentType(type)) outputs.flat().forEach((end) => add(type, from, end));
  }
  return found;
}

/** Types of attachment that a node provides, from its version and parameters. */
export function providedBy(node: NodeDefinition, descriptor: KindDescriptor): AttachmentType[] {
  return (descriptor.provides ?? []).filter((one) => countsFor(one, node, descriptor)).map(({ type }) => type);
}

/** The attachments that a node accepts, from its version and parameters. */
export function acceptedBy(node: NodeDefinition, descriptor: KindDescriptor): AcceptedAttachment[] {
  return (descriptor.accepts ?? []).filter((one) => countsFor(one, node, descriptor));
}
