import { isEqualJson, isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import { checkConnectionsShape } from './check-connections-shape';
import type { DefinitionError } from '../definition';
import { webhookKeyErrors } from '../settings/event-key-rule';
import { retentionErrors } from '../settings/retention';

/** Maximum number of nodes of a workflow. */
export const MAX_NODES = 2_000;
/** Maximum length of the name of a workflow or a node, in characters. */
export const MAX_NAME_LENGTH = 500;
/** Maximum number of errors that one check reports. */
export const MAX_FIELD_ERRORS = 50;

/**
 * Errors that prevent a workflow from being stored: wrong types, nameless nodes. `parseJson` has already refused JSON
 * that is invalid anywhere, such as too many levels. `checkDefinition` checks what nodes mean. Links to missing nodes
 * pass, since exported workflows have them. Empty if the workflow can be stored; at most `MAX_FIELD_ERRORS` errors.
 */
export function checkShape(value: Json | undefined): DefinitionError[] {
  if (!isJsonObject(value)) return [{ field: '', message: 'A workflow must be a JSON object.' }];
  return [
    ...checkText(value['name'], 'name'),
    ...checkNodes(value['nodes']),
    ...checkConnectionsShape(value),
    ...checkOptionalObject(value, 'settings'),
    ...retentionErrors(value['settings']),
    ...webhookKeyErrors(value['settings']),
    ...checkOptionalObject(value, 'pinData'),
  ].slice(0, MAX_FIELD_ERRORS);
}

/** The name of a workflow may be empty: exported workflows without one exist. */
function checkText(name: Json | undefined, path: string): DefinitionError[] {
  if (typeof name !== 'string') return [{ field: path, message: `\`${path}\` must be a string.` }];
  if (!name.isWellFormed())
    return [{ field: path, message: `\`${path}\` contains half of a character (a lone surrogate).` }];
  return name.length > MAX_NAME_LENGTH
    ? [{ field: path, message: `\`${path}\` is longer than ${MAX_NAME_LENGTH} characters.` }]
    : [];
}

function checkNodes(nodes: Json | undefined): DefinitionError[] {
  if (!Array.isArray(nodes)) return [{ field: 'nodes', message: '`nodes` must be an array of nodes.' }];
  if (nodes.length > MAX_NODES) return [{ field: 'nodes', message: `A workflow can have ${MAX_NODES} nodes at most.` }];
  const seen = new Map<string, JsonObject>();
  return nodes.flatMap((node, index) => {
    const path = `nodes[${index}]`;
    if (!isJsonObject(node)) return [{ field: path, message: `\`${path}\` must be an object.` }];
    return [...checkNode(node, path), ...checkUnique(node, path, seen)];
  });
}

function checkNode(node: JsonObject, path: string): DefinitionError[] {
  const errors = checkText(node['name'], `${path}.name`);
  if (node['name'] === '')
    errors.push({
      field: `${path}.name`,
      message: `\`${path}.name\` may not be empty: links find a node by its name.`,
    });
  const { type, position, parameters } = node;
  if (typeof type !== 'string' || type === '') {
    errors.push({
      field: `${path}.type`,
      message: `\`${path}.type\` must be a string such as \`weft-nodes-base.set\`.`,
    });
  }
  if (position !== undefined && !isPosition(position)) {
    errors.push({ field: `${path}.position`, message: `\`${path}.position\` must be an array of two numbers.` });
  }
  if (parameters !== undefined && !isJsonObject(parameters)) {
    errors.push({ field: `${path}.parameters`, message: `\`${path}.parameters\` must be an object.` });
  }
  const name = node['name'];
  return typeof name === 'string' ? errors.map((error) => ({ ...error, node: name })) : errors;
}

function isPosition(value: Json): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'number');
}

/** A node listed twice with identical content counts as one: exported workflows have such copies. */
function checkUnique(node: JsonObject, path: string, seen: Map<string, JsonObject>): DefinitionError[] {
  const { name } = node;
  if (typeof name !== 'string') return [];
  const first = seen.get(name);
  if (first === undefined) seen.set(name, node);
  if (first === undefined || isEqualJson({ ...first, id: null }, { ...node, id: null })) return [];
  return [
    {
      node: name,
      field: `${path}.name`,
      message: `Two nodes are called "${name}". Names of nodes must be unique within a workflow.`,
    },
  ];
}

function checkOptionalObject(workflow: JsonObject, key: string): DefinitionError[] {
  const value = workflow[key];
  return value === undefined || value === null || isJsonObject(value)
    ? []
    : [{ field: key, message: `\`${key}\` must be an object.` }];
}
