import { isJsonObject, listField, objectField, type Json, type JsonObject } from '@weft/service-kit/json';
import { anyObject, flag, object, text } from '../../http/shape';
import { checkWorkflows } from '../../handlers/workflows/check-workflows';
import {
  activateWorkflow,
  createWorkflow,
  deactivateWorkflow,
  getWorkflow,
  listWorkflows,
  replaceWorkflow,
} from '../../handlers/workflows/workflows';
import { PROJECT_ID } from '../../handlers/owned';
import type { Answer } from '../../middleware/responses/write-answer';
import { shownText } from '../bounded-text';
import { OFFSET, PAGE_CURSOR, PAGE_SIZE, WORKFLOW_ID } from './arguments';
import { defineTool, HINTS, type McpTool, textOfAnswer, windowResult } from './tool';

const DEFINITION = anyObject({
  description:
    '{"name", "nodes": [{"name", "type", "parameters", "credentials"?}], "connections": {"<source node>": {"main": ' +
    '[[{"node": "<target node>", "type": "main", "index": 0}]]}}, "settings"?}. Begin with a trigger, for example ' +
    'n8n-nodes-base.manualTrigger.',
});

const bodyOf = (answer: Answer): Json => JSON.parse(textOfAnswer(answer));

/** A response with a workflow, without its definition: the caller has just sent it. */
const changed = (answer: Answer, next: string) => {
  const body = bodyOf(answer);
  const { id, name, active, createdAt, updatedAt } = objectField(body, 'data') ?? {};
  const warnings = listField(body, 'warnings');
  const etag = answer.headers?.['etag'];
  const shown = { id, name, active, createdAt, updatedAt, etag, warnings };
  return { text: shownText(JSON.stringify({ ...shown, next }), 'Read the workflow with get_workflow.') };
};

const ifMatch = (etag: string | undefined) => (etag === undefined ? {} : { headers: { 'if-match': etag } });

const ETAG = text({ description: 'The etag that you read: refused if the workflow has changed since.' });

const withoutDefinition = (checked: Json): Json => {
  if (!isJsonObject(checked)) return checked;
  const { definition: _definition, hash: _hash, ...rest } = checked;
  return rest;
};

const RUN_NEXT = 'Start it with run_workflow.';

export const WORKFLOW_TOOLS: readonly McpTool[] = [
  defineTool({
    name: 'list_workflows',
    title: 'List workflows',
    description: 'Lists workflows, newest first, without their definitions. Read one with get_workflow.',
    hints: HINTS.reads,
    args: object({
      search: text({ description: 'Only workflows with this text in their name.' }),
      active: flag({ description: 'Only active workflows, or only inactive ones.' }),
      projectId: text({ description: 'Only workflows of this project.' }),
      limit: PAGE_SIZE,
      cursor: PAGE_CURSOR,
    }),
    run: async ({ limit = 20, ...query }, { call }) =>
      windowResult(await call(listWorkflows, { query: { ...query, limit, summary: true } })),
  }),
  defineTool({
    name: 'get_workflow',
    title: 'Read a workflow',
    description: 'Returns the whole definition of a workflow: nodes, connections and settings.',
    hints: HINTS.reads,
    args: object({ id: WORKFLOW_ID, offset: OFFSET }, { required: ['id'] }),
    run: async ({ id = '', offset }, { call }) => windowResult(await call(getWorkflow, { id }), offset),
  }),
  defineTool({
    name: 'check_workflow',
    title: 'Check a workflow',
    description:
      'Checks a definition and stores nothing: `fields` are errors, `warnings` do not prevent a run, `credentials` ' +
      'with "how": "none" are missing. Correct it until `runnable` is true, then call create_workflow or ' +
      'update_workflow. For node types and parameters see list_node_types and get_node_type.',
    hints: HINTS.reads,
    args: object({ workflow: DEFINITION, projectId: PROJECT_ID }, { required: ['workflow'] }),
    run: async ({ workflow = {}, projectId }, { call }) => {
      const body: JsonObject = { workflows: [workflow], ...(projectId === undefined ? {} : { projectId }) };
      const [checked = null] = listField(bodyOf(await call(checkWorkflows, { body })), 'data');
      return { text: shownText(JSON.stringify(withoutDefinition(checked)), 'Correct these errors, and check again.') };
    },
  }),
  defineTool({
    name: 'create_workflow',
    title: 'Create a workflow',
    description:
      'Stores a new workflow and returns its id. Call check_workflow first. With "active": true its webhooks, forms ' +
      'and schedules go live.',
    hints: HINTS.adds,
    args: object(
      {
        workflow: DEFINITION,
        active: flag({ description: 'Activates it. Default: false.' }),
        projectId: PROJECT_ID,
      },
      { required: ['workflow'] },
    ),
    run: async ({ workflow = {}, active = false, projectId }, { call }) => {
      const body: JsonObject = { ...workflow, active, ...(projectId === undefined ? {} : { projectId }) };
      return changed(await call(createWorkflow, { body }), RUN_NEXT);
    },
  }),
  defineTool({
    name: 'update_workflow',
    title: 'Replace a workflow',
    description:
      'Replaces the whole definition of a workflow, so read it with get_workflow first and send all of it. An active ' +
      'workflow stays active with the new definition.',
    hints: HINTS.changes,
    args: object({ id: WORKFLOW_ID, workflow: DEFINITION, etag: ETAG }, { required: ['id', 'workflow'] }),
    run: async ({ id = '', workflow = {}, etag }, { call }) =>
      changed(await call(replaceWorkflow, { id, body: workflow, ...ifMatch(etag) }), RUN_NEXT),
  }),
  defineTool({
    name: 'activate_workflow',
    title: 'Activate a workflow',
    description: 'Makes the webhooks, forms and schedules of a workflow live. Not needed for run_workflow.',
    hints: HINTS.changes,
    args: object({ id: WORKFLOW_ID, etag: ETAG }, { required: ['id'] }),
    run: async ({ id = '', etag }, { call }) =>
      changed(await call(activateWorkflow, { id, ...ifMatch(etag) }), 'Its triggers start it from now on.'),
  }),
  defineTool({
    name: 'deactivate_workflow',
    title: 'Deactivate a workflow',
    description: 'Removes the webhooks, forms and schedules of a workflow. Runs that have started continue.',
    hints: HINTS.changes,
    args: object({ id: WORKFLOW_ID, etag: ETAG }, { required: ['id'] }),
    run: async ({ id = '', etag }, { call }) =>
      changed(await call(deactivateWorkflow, { id, ...ifMatch(etag) }), 'It can still be started with run_workflow.'),
  }),
];
