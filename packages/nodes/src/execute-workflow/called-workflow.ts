import type { Json } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type ChildRequest, type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { choiceParameter } from '../shared/read-parameter';
import { parseLooseJson } from '../shared/values/loose-json';

const SOURCES = ['database', 'parameter', 'localFile', 'url'] as const;

/** Source of the workflow that a node calls. */
export type WorkflowSource = (typeof SOURCES)[number];

/** Reference of the node to the workflow; the same for all items. */
export function workflowSource(context: NodeContext): WorkflowSource {
  return choiceParameter(context, 'source', 0, SOURCES);
}

/**
 * The workflow that a node calls for one item.
 * @throws NodeFailure if none is selected, or its source is not supported
 */
export function calledWorkflow(context: NodeContext, itemIndex: number): ChildRequest['workflow'] {
  switch (workflowSource(context)) {
    case 'database':
      return { id: workflowId(context, itemIndex) };
    case 'parameter':
      return { definition: definition(context, itemIndex) };
    case 'localFile':
      throw new NodeFailure('A workflow cannot be loaded from a file', {
        itemIndex,
        description: 'Workflows have no access to local files. Store the workflow, and set its id.',
      });
    case 'url':
      throw new NodeFailure('A workflow cannot be loaded from a URL', {
        itemIndex,
        description:
          'Store the workflow and set its id, or fetch it with an HTTP Request node and pass it as a parameter.',
      });
  }
}

/** An id as a string, or as the value of a resource locator. */
function workflowId(context: NodeContext, itemIndex: number): string {
  const chosen = toJson(context.parameter('workflowId', itemIndex));
  const id = isJsonObject(chosen) ? chosen['value'] : chosen;
  const text = typeof id === 'string' || typeof id === 'number' ? String(id).trim() : '';
  if (text === '')
    throw new NodeFailure('No workflow is selected', {
      itemIndex,
      description: 'Set `workflowId` to the id of the workflow to call.',
    });
  return text;
}

function definition(context: NodeContext, itemIndex: number): Json {
  const value = context.jsonParameter('workflowJson', itemIndex);
  const json = typeof value === 'string' ? parseLooseJson(value) : toJson(value);
  if (isJsonObject(json) && Array.isArray(json['nodes'])) return json;
  throw new NodeFailure('The workflow to call is not valid workflow JSON', {
    itemIndex,
    description: 'Set `workflowJson` to an object with `nodes` and `connections`.',
  });
}
