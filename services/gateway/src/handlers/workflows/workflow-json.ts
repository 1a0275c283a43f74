import type { Node, Workflow } from '@weft/proto/workflows';
import { InternalError } from '@weft/service-kit/errors';
import { furtherMembers, objectText, quote, timeText } from '../../http/json-text';
import { dataAnswer, type TextAnswer } from '../../middleware/write-answer';

/** JSON knows neither NaN nor infinity, which a caller over gRPC can store. */
const numberText = (value: number | undefined): string =>
  value !== undefined && Number.isFinite(value) ? String(value) : '0';

/** A node created without a place gets one in answers: the contract shows it on every node. */
const positionText = ([x, y]: readonly number[]): string => `[${numberText(x)},${numberText(y)}]`;

const nodeText = (node: Node): string =>
  `{"id":${quote(node.id)},"name":${quote(node.name)},"type":${quote(node.type)},"position":${positionText(node.position)},` +
  `"parameters":${objectText(node.parametersJson)}${furtherMembers(objectText(node.extraJson))}}`;

/** A workflow as the REST contract shows it, with all else it came with. JSON that is only passed on is not parsed. */
export const workflowText = (workflow: Workflow): string =>
  `{"id":${quote(workflow.id)},"name":${quote(workflow.name)},"active":${workflow.active},` +
  `"createdAt":${timeText(workflow.createdAt)},"updatedAt":${timeText(workflow.updatedAt)},` +
  `"nodes":[${workflow.nodes.map(nodeText).join(',')}],"connections":${objectText(workflow.connectionsJson)},` +
  `"settings":${objectText(workflow.settingsJson)}${furtherMembers(objectText(workflow.extraJson))}}`;

/** The workflow of an answer. @throws InternalError if the service left it out. */
export const presentWorkflow = (workflow: Workflow | undefined): Workflow => {
  if (workflow === undefined)
    throw new InternalError(new Error('The workflows service answered without the workflow.'));
  return workflow;
};

/** The answer with a whole workflow; its ETag is what If-Match of a replacement takes. */
export const workflowAnswer = (workflow: Workflow | undefined): TextAnswer => {
  const present = presentWorkflow(workflow);
  return dataAnswer(workflowText(present), { status: 200, headers: { etag: `"${present.versionId}"` } });
};
