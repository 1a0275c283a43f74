import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type InstanceCall, type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import {
  booleanParameter,
  choiceParameter,
  namesParameter,
  numberParameter,
  textParameter,
} from '../shared/read-parameter';

const RESOURCES = ['audit', 'credential', 'execution', 'workflow'] as const;
const CREDENTIAL_OPERATIONS = ['create', 'delete', 'getSchema'] as const;
const EXECUTION_OPERATIONS = ['get', 'getAll', 'delete'] as const;
const WORKFLOW_OPERATIONS = [
  'activate',
  'create',
  'deactivate',
  'delete',
  'get',
  'getAll',
  'getVersion',
  'update',
] as const;
/** Fields of a workflow that are sent. */
const WORKFLOW_FIELDS = ['name', 'nodes', 'settings', 'connections', 'staticData'] as const;

/** The requested part of a list. */
export interface Wanted {
  /** Infinity: all. */
  readonly limit: number;
}

/** A call, and the requested part if it returns a list. */
export interface ReadCall {
  readonly call: InstanceCall;
  readonly wanted?: Wanted;
}

/** Reads the call for one item from the parameters. @throws NodeFailure for invalid values */
export function readCall(context: NodeContext, index: number): ReadCall {
  switch (choiceParameter(context, 'resource', index, RESOURCES)) {
    case 'audit':
      return { call: { call: 'generateAudit', options: auditOptions(context, index) } };
    case 'credential':
      return { call: credentialCall(context, index) };
    case 'execution':
      return executionCall(context, index);
    case 'workflow':
      return workflowCall(context, index);
  }
}

function workflowCall(context: NodeContext, index: number): ReadCall {
  const id = (): string => workflowId(context, 'workflowId', index);
  const field = (name: string): string | undefined => optionalText(context, `additionalFields.${name}`, index);
  switch (choiceParameter(context, 'operation', index, WORKFLOW_OPERATIONS, 'getAll')) {
    case 'activate': {
      const publication = { versionId: field('versionId'), name: field('name'), description: field('description') };
      return { call: { call: 'activateWorkflow', workflowId: id(), publication } };
    }
    case 'create':
      return { call: { call: 'createWorkflow', workflow: newWorkflow(jsonObject(context, 'workflowObject', index)) } };
    case 'deactivate':
      return { call: { call: 'deactivateWorkflow', workflowId: id() } };
    case 'delete':
      return { call: { call: 'deleteWorkflow', workflowId: id() } };
    case 'get':
      return { call: { call: 'getWorkflow', workflowId: id() } };
    case 'getAll':
      return workflowList(context, index);
    case 'getVersion': {
      const versionId = requiredText(context, 'versionId', index);
      return { call: { call: 'getWorkflowVersion', workflowId: id(), versionId } };
    }
    case 'update': {
      const workflow = changedFields(jsonObject(context, 'workflowObject', index));
      return { call: { call: 'updateWorkflow', workflowId: id(), workflow } };
    }
  }
}

function workflowList(context: NodeContext, index: number): ReadCall {
  const isSet = (name: string): boolean => context.parameter(`filters.${name}`, index) !== undefined;
  const flagOf = (name: string): boolean | undefined =>
    isSet(name) ? booleanParameter(context, `filters.${name}`, index) : undefined;
  const textOf = (name: string): string | undefined => optionalText(context, `filters.${name}`, index);
  const wanted = wantedOf(context, index);
  const filter = {
    active: flagOf('activeWorkflows'),
    name: textOf('name'),
    tags: textOf('tags'),
    projectId: textOf('projectId'),
    excludePinnedData: flagOf('excludePinnedData') || undefined,
  };
  return { call: { call: 'listWorkflows', page: pageOf(wanted), filter }, wanted };
}

function executionCall(context: NodeContext, index: number): ReadCall {
  const includeData = booleanParameter(context, 'options.activeWorkflows', index);
  switch (choiceParameter(context, 'operation', index, EXECUTION_OPERATIONS, 'getAll')) {
    case 'get':
      return {
        call: { call: 'getExecution', executionId: requiredText(context, 'executionId', index), includeData },
      };
    case 'delete':
      return { call: { call: 'deleteExecution', executionId: requiredText(context, 'executionId', index) } };
    case 'getAll': {
      const wanted = wantedOf(context, index);
      const filter = {
        workflowId: locatedId(context, 'filters.workflowId', index),
        status: optionalText(context, 'filters.status', index),
      };
      return { call: { call: 'listExecutions', page: pageOf(wanted), ...filter, includeData }, wanted };
    }
  }
}

function credentialCall(context: NodeContext, index: number): InstanceCall {
  switch (choiceParameter(context, 'operation', index, CREDENTIAL_OPERATIONS, 'create')) {
    case 'create':
      return {
        call: 'createCredential',
        name: requiredText(context, 'name', index),
        type: requiredText(context, 'credentialTypeName', index),
        data: jsonObject(context, 'data', index),
      };
    case 'delete':
      return { call: 'deleteCredential', credentialId: requiredText(context, 'credentialId', index) };
    case 'getSchema':
      return { call: 'getCredentialSchema', type: requiredText(context, 'credentialTypeName', index) };
  }
}

function auditOptions(context: NodeContext, index: number): JsonObject {
  const categories = namesParameter(context, 'additionalOptions.categories', index);
  const days = context.parameter('additionalOptions.daysAbandonedWorkflow', index);
  return {
    ...(categories.length === 0 ? {} : { categories }),
    ...(days === undefined
      ? {}
      : { daysAbandonedWorkflow: numberParameter(context, 'additionalOptions.daysAbandonedWorkflow', index) }),
  };
}

function wantedOf(context: NodeContext, index: number): Wanted {
  if (booleanParameter(context, 'returnAll', index)) return { limit: Infinity };
  return { limit: Math.min(250, Math.max(1, Math.trunc(numberParameter(context, 'limit', index)))) };
}

function pageOf({ limit }: Wanted) {
  return { limit: Number.isFinite(limit) ? limit : undefined, cursor: undefined };
}

/** n8n rejects a workflow without these fields, and rejects others as unknown. */
function newWorkflow(workflow: JsonObject): JsonObject {
  return {
    name: workflow['name'] || 'My workflow',
    nodes: workflow['nodes'] || [],
    settings: workflow['settings'] || {},
    connections: workflow['connections'] || {},
    staticData: workflow['staticData'] || null,
  };
}

function changedFields(workflow: JsonObject): JsonObject {
  return Object.fromEntries(
    WORKFLOW_FIELDS.flatMap((name): [string, Json][] => {
      const value = workflow[name];
      return value === undefined || !value ? [] : [[name, value]];
    }),
  );
}

function jsonObject(context: NodeContext, name: string, itemIndex: number): JsonObject {
  const raw = context.parameter(name, itemIndex);
  const parsed = typeof raw === 'string' ? parsedText(name, raw, itemIndex) : toJson(raw);
  if (isJsonObject(parsed)) return parsed;
  throw new NodeFailure(`The parameter "${name}" must be a JSON object`, { itemIndex });
}

function parsedText(name: string, value: string, itemIndex: number): unknown {
  try {
    return JSON.parse(value);
  } catch (cause) {
    throw new NodeFailure(`The parameter "${name}" must be valid JSON`, { itemIndex, cause });
  }
}

function optionalText(context: NodeContext, path: string, index: number): string | undefined {
  return textParameter(context, path, index).trim() || undefined;
}

function requiredText(context: NodeContext, name: string, itemIndex: number): string {
  const value = optionalText(context, name, itemIndex);
  if (value === undefined) throw new NodeFailure(`The parameter "${name}" is empty`, { itemIndex });
  return value;
}

function workflowId(context: NodeContext, path: string, itemIndex: number): string {
  const id = locatedId(context, path, itemIndex);
  if (id === undefined)
    throw new NodeFailure('No workflow is selected', {
      itemIndex,
      description: 'Set `workflowId` to the id of the workflow.',
    });
  return id;
}

/** An id given as a string, or selected from a list or by URL. */
function locatedId(context: NodeContext, path: string, index: number): string | undefined {
  const raw = toJson(context.parameter(path, index));
  const { mode, value } = isJsonObject(raw) ? raw : { mode: 'id', value: raw };
  const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  const located = mode === 'url' ? /\/workflow\/([0-9a-zA-Z-]+)/.exec(id)?.[1] : id;
  return located || undefined;
}
