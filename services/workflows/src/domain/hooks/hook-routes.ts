import { HOOK_METHOD, hooksOf, type TriggerHook } from '@weft/nodes/descriptors';
import type { WorkflowDefinition } from '@weft/node-catalogue';
import { createHash } from 'node:crypto';
import type { RouteEntry } from '../workflows/workflow';
import type { HookContent } from './hook';

/** Id of the hook of a workflow. Another credential is another hook: it may be another account. */
export const hookId = (
  workflowId: string,
  { path, credentialId }: Pick<TriggerHook, 'path' | 'credentialId'>,
): string => `${workflowId} ${path} ${credentialId}`;

/** The key of the route that stands for a hook. It contains no slash, as it overlaps with nothing. */
export const hookRouteKey = (
  workflowId: string,
  { path, credentialId, exclusiveKey }: Pick<TriggerHook, 'path' | 'credentialId' | 'exclusiveKey'>,
): string => `${HOOK_METHOD} ${exclusiveKey ?? hookId(workflowId, { path, credentialId }).replaceAll(/[ /]/g, ':')}`;

/**
 * Routes that stand for the hooks of a workflow. As routes are unique among all active workflows, so is what a service
 * allows once; and they show without the definition that a workflow has hooks.
 */
export const hookRoutesOf = (definition: WorkflowDefinition, workflowId: string): RouteEntry[] =>
  hooksOf(definition).map((hook) => ({
    key: hookRouteKey(workflowId, hook),
    method: HOOK_METHOD,
    path: hook.path,
    node: hook.node,
  }));

/** True for a route that stands for a hook. */
export const isHookRoute = ({ method }: Pick<RouteEntry, 'method'>): boolean => method === HOOK_METHOD;

/** Content of a hook, which is registered. */
export const contentOf = ({ parameters, ...hook }: TriggerHook): HookContent => ({
  ...hook,
  parametersJson: JSON.stringify(parameters),
});

/** Differs if anything differs that a service is told. */
export const fingerprintOf = ({ kind, version, parametersJson }: HookContent, url: string): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, version, parametersJson, url]))
    .digest('base64url');
