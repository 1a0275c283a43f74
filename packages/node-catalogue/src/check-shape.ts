import { isDeepStrictEqual } from 'node:util';
import { checkConnectionsShape } from './check-connections-shape';
import type { Fault } from './definition';
import type { Json, JsonObject } from './json';
import { isJsonObject } from './json';
import { retentionFaults } from './retention';

/** Deepest nesting that a workflow may have, counted from the workflow object itself. */
export const DEPTH_MAX = 100;
/** Most nodes that a workflow may have. */
export const NODES_MAX = 2_000;
/** Longest name of a workflow or a node, in characters. */
export const NAME_LENGTH_MAX = 500;
/** Most faults that one check tells at once. */
export const FAULTS_MAX = 50;

/**
 * What keeps a workflow from being stored: wrong types, nameless nodes, nesting beyond `DEPTH_MAX`, keys that would
 * reach into JavaScript's own objects. It does not look at what nodes mean: see `checkDefinition`. Links that lead
 * nowhere pass, since exported workflows hold them. Empty if all is well; at most `FAULTS_MAX` faults.
 */
export function checkShape(value: Json | undefined): Fault[] {
  if (!isJsonObject(value)) return [{ path: '', message: 'A workflow must be a JSON object.' }];
  const nesting = checkNesting(value);
  if (nesting.length > 0) return nesting;
  return [
    ...checkText(value['name'], 'name'),
    ...checkNodes(value['nodes']),
    ...checkConnectionsShape(value['connections']),
    ...checkOptionalObject(value, 'settings'),
    ...retentionFaults(value['settings']),
    ...checkOptionalObject(value, 'pinData'),
  ].slice(0, FAULTS_MAX);
}

/** Walks without recursion, so that text made to overflow the stack is only a fault. */
function checkNesting(root: JsonObject): Fault[] {
  const open: { value: Json; depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > DEPTH_MAX) return [{ path: '', message: `The workflow is nested deeper than ${DEPTH_MAX} levels.` }];
    if (Array.isArray(value)) {
      for (const element of value) open.push({ value: element, depth: depth + 1 });
      continue;
    }
    if (Object.hasOwn(value, '__proto__'))
      return [{ path: '', message: 'The key `__proto__` is not allowed anywhere in a workflow.' }];
    for (const element of Object.values(value)) open.push({ value: element, depth: depth + 1 });
  }
  return [];
}

/** The name of a workflow may be empty: exported workflows without one exist. */
function checkText(name: Json | undefined, path: string): Fault[] {
  if (typeof name !== 'string') return [{ path, message: `\`${path}\` must be a string.` }];
  return name.length > NAME_LENGTH_MAX
    ? [{ path, message: `\`${path}\` is longer than ${NAME_LENGTH_MAX} characters.` }]
    : [];
}

function checkNodes(nodes: Json | undefined): Fault[] {
  if (!Array.isArray(nodes)) return [{ path: 'nodes', message: '`nodes` must be an array of nodes.' }];
  if (nodes.length > NODES_MAX) return [{ path: 'nodes', message: `A workflow can have ${NODES_MAX} nodes at most.` }];
  const seen = new Map<string, JsonObject>();
  return nodes.flatMap((node, index) => {
    const path = `nodes[${index}]`;
    if (!isJsonObject(node)) return [{ path, message: `\`${path}\` must be an object.` }];
    return [...checkNode(node, path), ...checkUnique(node, path, seen)];
  });
}

function checkNode(node: JsonObject, path: string): Fault[] {
  const faults = checkText(node['name'], `${path}.name`);
  if (node['name'] === '')
    faults.push({ path: `${path}.name`, message: `\`${path}.name\` may not be empty: links find a node by its name.` });
  const { type, position, parameters } = node;
  if (typeof type !== 'string' || type === '') {
    faults.push({
      path: `${path}.type`,
      message: `\`${path}.type\` must be a string such as \`weft-nodes-base.set\`.`,
    });
  }
  if (position !== undefined && !isPosition(position)) {
    faults.push({ path: `${path}.position`, message: `\`${path}.position\` must be an array of two numbers.` });
  }
  if (parameters !== undefined && !isJsonObject(parameters)) {
    faults.push({ path: `${path}.parameters`, message: `\`${path}.parameters\` must be an object.` });
  }
  const name = node['name'];
  return typeof name === 'string' ? faults.map((fault) => ({ ...fault, node: name })) : faults;
}

function isPosition(value: Json): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'number');
}

/** A node listed twice in the same words is one node: exported workflows hold such copies. */
function checkUnique(node: JsonObject, path: string, seen: Map<string, JsonObject>): Fault[] {
  const { name } = node;
  if (typeof name !== 'string') return [];
  const first = seen.get(name);
  if (first === undefined) seen.set(name, node);
  if (first === undefined || isDeepStrictEqual({ ...first, id: null }, { ...node, id: null })) return [];
  return [
    {
      node: name,
      path: `${path}.name`,
      message: `Two nodes are called "${name}". Names of nodes must be unique within a workflow.`,
    },
  ];
}

function checkOptionalObject(workflow: JsonObject, key: string): Fault[] {
  const value = workflow[key];
  return value === undefined || value === null || isJsonObject(value)
    ? []
    : [{ path: key, message: `\`${key}\` must be an object.` }];
}
