import type { Node, Workflow } from '@weft/proto/workflows';
import type { DefinitionParts, NodeParts, WorkflowView } from '../domain/workflow';

/** The fields that requests with a definition have. */
export interface DefinitionMessage {
  name: string;
  nodes: Node[];
  connectionsJson: string;
  settingsJson: string;
  extraJson: string;
}

const nodeMessage = ({ id, name, type, position, parametersJson, extraJson }: NodeParts): Node => ({
  id,
  name,
  type,
  position: [...position],
  parametersJson,
  extraJson,
});

/** The definition that a request carries. */
export const partsOf = ({
  name,
  nodes,
  connectionsJson,
  settingsJson,
  extraJson,
}: DefinitionMessage): DefinitionParts => ({ name, nodes, connectionsJson, settingsJson, extraJson });

/** A workflow as it travels. */
export const workflowMessage = ({ workflow, parts }: WorkflowView): Workflow => ({
  id: workflow.id,
  name: workflow.name,
  active: workflow.active,
  createdAt: workflow.createdAt,
  updatedAt: workflow.updatedAt,
  nodes: parts.nodes.map(nodeMessage),
  connectionsJson: parts.connectionsJson,
  settingsJson: parts.settingsJson,
  extraJson: parts.extraJson,
  versionId: workflow.versionId,
  ownerId: workflow.ownerId,
});
