import { field } from '@weft/service-kit/json-values';
import {
  type DefinitionError,
  type NodeDefinition,
  type WorkflowDefinition,
  kindOf,
  isExpression,
  plainParameter,
  plainText,
  MAX_PATH_SEGMENTS,
  routeKey,
} from '@weft/node-catalogue';
import { withoutEnds } from '@weft/service-kit/text';
import { describeKind } from '../descriptors/kinds';
import { CHAT_KIND, chatNodes, isHosted } from './chat-settings';
import { hookErrors, hookMethods, hookPath } from './hooks';
import { MCP_KIND, MCP_METHOD, mcpEndings, mcpNodes } from './mcp-settings';

/** Methods a webhook can listen to. */
export const WEBHOOK_METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const;

/** Pseudo method in the route of a form: the page and its submission share one URL. */
export const FORM_METHOD = 'FORM';

/** One route of an active workflow. */
export interface Route {
  /** Unique among all active workflows: method, a space, the path with `:` in place of every parameter. */
  readonly key: string;
  /** `FORM` for a form, `MCP` for an MCP server. */
  readonly method: string;
  /**
   * Below `/webhook/`, `/form/` for a form, or `/mcp/` for an MCP server; without leading and trailing slashes,
   * parameters written `:name`.
   */
  readonly path: string;
  /** Name of the node. */
  readonly node: string;
  readonly workflowId: string;
}

/**
 * All routes of an active workflow, in the order of its nodes. Disabled nodes have none, nor do those with an invalid
 * path: `routeErrors` reports them.
 */
export function routesOf(definition: WorkflowDefinition, workflowId: string): Route[] {
  return definition.nodes.flatMap((node) => {
    const methods = methodsOf(node);
    const path = methods.length === 0 ? undefined : pathOf(node);
    if (path?.kind !== 'path') return [];
    return methods.flatMap((method) =>
      endingsOf(node).map((ending) => ({
        key: routeKey(method, path.path + ending),
        method,
        path: path.path + ending,
        node: node.name,
        workflowId,
      })),
    );
  });
}

/** Errors in the paths of a workflow's webhooks and forms: invalid paths, and two nodes with the same route. */
export function routeErrors(definition: WorkflowDefinition): DefinitionError[] {
  const errors: DefinitionError[] = hookErrors(definition);
  const named = [
    ...webhookNodes(definition),
    ...formNodes(definition),
    ...chatNodes(definition),
    ...mcpNodes(definition),
  ].flatMap((node): DefinitionError[] => {
    const path = pathOf(node);
    return path.kind === 'error'
      ? [{ node: node.name, field: 'parameters.path', message: `Node "${node.name}": ${path.message}` }]
      : [];
  });
  errors.push(...named);
  const holders = new Map<string, string>();
  for (const { key, node } of routesOf(definition, '')) {
    const holder = holders.get(key);
    if (holder === undefined) holders.set(key, node);
    else
      errors.push({
        node,
        field: 'parameters.path',
        message: `Nodes "${holder}" and "${node}" both listen to ${key}. Give one of them another path or method.`,
      });
  }
  return errors;
}

/** The path of a node that has a route, or its error. */
type NodePath = { kind: 'path'; path: string } | { kind: 'error'; message: string };

function methodsOf(node: NodeDefinition): string[] {
  if (node.disabled === true) return [];
  const kind = kindOf(node.type);
  if (kind === 'webhook') return webhookMethods(node);
  if (kind === CHAT_KIND) return chatMethods(node);
  if (kind === MCP_KIND) return [MCP_METHOD];
  return kind === 'formTrigger' ? [FORM_METHOD] : hookMethods(node);
}

function pathOf(node: NodeDefinition): NodePath {
  const kind = kindOf(node.type);
  if (kind === 'formTrigger') return formPath(node);
  if (kind === CHAT_KIND) return chatPath(node);
  if (kind === MCP_KIND) return mcpPath(node);
  return kind === 'webhook' ? webhookPath(node) : hookPath(node);
}

/** Endings of the routes of a node, after its path. */
function endingsOf(node: NodeDefinition): readonly string[] {
  return kindOf(node.type) === MCP_KIND ? mcpEndings(node) : [''];
}

/** A page is read by GET, and messages are posted to the same address. */
function chatMethods(node: NodeDefinition): string[] {
  if (node.parameters['public'] !== true) return [];
  return isHosted(node) ? ['GET', 'POST'] : ['POST'];
}

function chatPath(node: NodeDefinition): NodePath {
  const identity = trimSlashes(node.webhookId ?? '');
  if (identity === '') return { kind: 'error', message: 'a chat needs an address: set `webhookId` of the node.' };
  const error = segmentError(identity.split('/'));
  return error === undefined ? { kind: 'path', path: `${identity}/chat` } : { kind: 'error', message: error };
}

function mcpPath(node: NodeDefinition): NodePath {
  const given = node.parameters['path'];
  if (isExpression(given)) return { kind: 'error', message: 'the path of an MCP server cannot be an expression.' };
  const own =
    trimSlashes(typeof given === 'string' ? plainText(given).trim() : '') || trimSlashes(node.webhookId ?? '');
  if (own === '') return { kind: 'error', message: 'an MCP server needs a path: set `path`.' };
  const segments = own.split('/');
  if (segments.some(isParameter))
    return { kind: 'error', message: 'the path of an MCP server cannot contain parameters.' };
  const error = segmentError(segments);
  return error === undefined ? { kind: 'path', path: own } : { kind: 'error', message: error };
}

/** The path of a form trigger, or its error. */
export function formPath(node: NodeDefinition): NodePath {
  const given = [node.parameters['path'], field(node.parameters['options'], 'path')].find(
    (one) => typeof one === 'string' && one !== '',
  );
  if (isExpression(given)) return { kind: 'error', message: 'the path of a form cannot be an expression.' };
  const own =
    trimSlashes(typeof given === 'string' ? plainText(given).trim() : '') || trimSlashes(node.webhookId ?? '');
  if (own === '') return { kind: 'error', message: 'a form needs a path: set `options.path`.' };
  const segments = own.split('/');
  if (segments.some(isParameter)) return { kind: 'error', message: 'the path of a form cannot contain parameters.' };
  const error = segmentError(segments);
  return error === undefined ? { kind: 'path', path: own } : { kind: 'error', message: error };
}

/** The path of a webhook node, or its error. */
export function webhookPath(node: NodeDefinition): NodePath {
  const given = node.parameters['path'];
  if (isExpression(given)) return { kind: 'error', message: 'the path of a webhook cannot be an expression.' };
  const own = trimSlashes(typeof given === 'string' ? plainText(given).trim() : '');
  const identity = trimSlashes(node.webhookId ?? '');
  if (own === '')
    return identity === '' ? { kind: 'error', message: 'a webhook needs a path.' } : { kind: 'path', path: identity };
  const segments = own.split('/');
  const error = segmentError(segments);
  if (error !== undefined) return { kind: 'error', message: error };
  if (!segments.some(isParameter)) return { kind: 'path', path: own };
  const path = identity === '' ? own : `${identity}/${own}`;
  const count = path.split('/').length;
  if (count > MAX_PATH_SEGMENTS)
    return {
      kind: 'error',
      message: `a path with parameters can have at most ${MAX_PATH_SEGMENTS} segments; this one has ${count}.`,
    };
  if (isParameter(path.split('/')[0] ?? ''))
    return { kind: 'error', message: 'the first segment of a path cannot be a parameter: start it with a fixed word.' };
  return { kind: 'path', path };
}

/** The methods a webhook node listens to. */
export function webhookMethods(node: NodeDefinition): string[] {
  const descriptor = describeKind('webhook');
  if (descriptor === undefined) return [];
  const given = plainParameter(node, descriptor, 'httpMethod');
  const wanted = (Array.isArray(given) ? given : [given]).map((method) => String(method).toUpperCase());
  return WEBHOOK_METHODS.filter((method) => wanted.includes(method));
}

/** The enabled webhook nodes, in the order of the definition. */
export function webhookNodes(definition: WorkflowDefinition): NodeDefinition[] {
  return definition.nodes.filter((node) => node.disabled !== true && kindOf(node.type) === 'webhook');
}

/** The enabled form triggers, in the order of the definition. */
export function formNodes(definition: WorkflowDefinition): NodeDefinition[] {
  return definition.nodes.filter((node) => node.disabled !== true && kindOf(node.type) === 'formTrigger');
}

function segmentError(segments: readonly string[]): string | undefined {
  if (segments.join('/').length > 500) return 'the path is longer than 500 characters.';
  const bad = segments.find((part) => part === '' || part === '.' || part === '..' || /[?#\\\u0000-\u001f]/.test(part));
  if (bad !== undefined) return `the path contains an invalid segment: "${bad}".`;
  const names = segments.filter(isParameter).map((part) => part.slice(1));
  if (names.some((name) => !/^[A-Za-z_][\w-]*$/.test(name)))
    return 'a parameter in a path is written as `:name`, with letters, digits, - and _.';
  return new Set(names).size < names.length ? 'two parameters of the path have the same name.' : undefined;
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}

function trimSlashes(path: string): string {
  return withoutEnds(path, '/');
}
