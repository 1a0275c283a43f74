import type { AppWebhook } from '@weft/app-model';
import { APPS, readApp } from '@weft/apps';
import {
  type DefinitionError,
  type JsonObject,
  type KindDescriptor,
  kindOf,
  type NodeDefinition,
  versionOf,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import type { HookRules, WebhookSettings } from '@weft/proto/channels';
import { withoutEnds } from '@weft/service-kit/text';
import { describeKind } from '../descriptors/kinds';
import { chosenCredential } from './chosen-credential';

/** Pseudo method in the route that stands for the registration of a hook with its service. */
export const HOOK_METHOD = 'HOOK';

/** Kinds of apps, whether or not they are triggers: their files need not be read. */
export const APP_KINDS: readonly string[] = APPS.flatMap(({ kinds }) => kinds);

/** The webhook that a trigger of an app registers with its service. */
export interface TriggerHook {
  /** Name of the node. */
  readonly node: string;
  readonly kind: string;
  readonly version: number;
  /** Below `/webhook/`. */
  readonly path: string;
  readonly parameters: JsonObject;
  /** Empty for a kind without credentials. */
  readonly credentialType: string;
  /** Empty if the node names none. */
  readonly credentialId: string;
  /** Only one active workflow may have a hook with this key; undefined: any number. */
  readonly exclusiveKey: string | undefined;
}

/** The webhooks of kinds; a process reads each once. */
const webhooks = new Map<string, AppWebhook | undefined>();

/** The webhook of a kind of an app; undefined for other kinds. */
export function appWebhookOf(kind: string | undefined): AppWebhook | undefined {
  if (kind === undefined) return undefined;
  if (!webhooks.has(kind)) {
    const entry = describeKind(kind)?.isTrigger === true ? APPS.find(({ kinds }) => kinds.includes(kind)) : undefined;
    webhooks.set(kind, entry === undefined ? undefined : readApp(entry.name).kinds[kind]?.webhook);
  }
  return webhooks.get(kind);
}

/** True for a trigger whose address a user enters in the service: no request registers it. */
export function isManualHook(kind: string): boolean {
  return appWebhookOf(kind)?.register === undefined;
}

/** The enabled triggers of apps that receive calls, in the order of the definition. */
export function hookNodes(definition: WorkflowDefinition): NodeDefinition[] {
  return definition.nodes.filter((node) => node.disabled !== true && appWebhookOf(kindOf(node.type)) !== undefined);
}

/** The part of an address that only this node has; empty if the definition has none. */
function identityOf({ webhookId = '', id }: NodeDefinition): string {
  return withoutEnds(webhookId, '/') || withoutEnds(id, '/');
}

/** The path of a trigger of an app: below the node's webhookId. */
export function hookPath(
  node: NodeDefinition,
): { readonly kind: 'path'; readonly path: string } | { readonly kind: 'error'; readonly message: string } {
  const identity = identityOf(node);
  if (!/^[\w.~-]{1,200}$/.test(identity))
    return {
      kind: 'error',
      message: 'the trigger needs a `webhookId` of letters, digits, - and _, which no other node has.',
    };
  return { kind: 'path', path: `${identity}/${appWebhookOf(kindOf(node.type))?.path ?? ''}` };
}

/** HTTP methods with which a service calls a trigger. */
export function hookMethods(node: NodeDefinition): string[] {
  const webhook = appWebhookOf(kindOf(node.type));
  if (webhook === undefined) return [];
  return webhook.handshake === 'meta' ? ['GET', 'POST'] : ['POST'];
}

/** The hooks that a workflow has while it is active. Triggers with an invalid path have none. */
export function hooksOf(definition: WorkflowDefinition): TriggerHook[] {
  return hookNodes(definition).flatMap((node): TriggerHook[] => {
    const kind = kindOf(node.type) ?? '';
    const descriptor = describeKind(kind);
    const path = hookPath(node);
    if (descriptor === undefined || path.kind === 'error') return [];
    const credentialType = credentialTypeOf(node, descriptor);
    const credentialId = credentialOf(node, credentialType);
    const isExclusive = appWebhookOf(kind)?.exclusive === 'credential' && credentialId !== '';
    return [
      {
        node: node.name,
        kind,
        version: versionOf(node, descriptor),
        path: path.path,
        parameters: node.parameters,
        credentialType,
        credentialId,
        exclusiveKey: isExclusive ? `${kind}:${credentialId}` : undefined,
      },
    ];
  });
}

/** The type of the credential with which the node registers; empty if it uses none. */
const credentialTypeOf = (node: NodeDefinition, descriptor: KindDescriptor): string =>
  chosenCredential(descriptor, node.parameters, versionOf(node, descriptor))?.type ?? '';

const credentialOf = ({ credentials }: NodeDefinition, type: string): string => credentials?.[type]?.id ?? '';

/** Errors of the triggers of apps: addresses that are not unique, and two triggers for what a service allows once. */
export function hookErrors(definition: WorkflowDefinition): DefinitionError[] {
  const errors = hookNodes(definition).flatMap((node): DefinitionError[] => {
    const path = hookPath(node);
    return path.kind === 'error'
      ? [{ node: node.name, field: 'webhookId', message: `Node "${node.name}": ${path.message}` }]
      : [];
  });
  const holders = new Map<string, string>();
  for (const { exclusiveKey, node, kind } of hooksOf(definition)) {
    if (exclusiveKey === undefined) continue;
    const holder = holders.get(exclusiveKey);
    if (holder === undefined) holders.set(exclusiveKey, node);
    else
      errors.push({
        node,
        field: 'credentials',
        message:
          `Nodes "${holder}" and "${node}" receive the events of the same credential. The service of ${kind} calls ` +
          'one address only: use one trigger.',
      });
  }
  return errors;
}

/** How calls of a hook are recognized, without the hook itself. */
function rulesOf(webhook: AppWebhook, credentialType: string): HookRules {
  const { verify, handshake = '' } = webhook;
  const rules = { hookId: '', sealedSecret: '', handshake, credentialType };
  const bySecret = { ...rules, header: '', keyField: '', optional: false };
  if ('query' in verify) return { ...bySecret, scheme: 'query', header: verify.query };
  if ('header' in verify) return { ...bySecret, scheme: 'header', header: verify.header };
  if ('signedWith' in verify) return { ...bySecret, scheme: verify.scheme };
  return { ...bySecret, scheme: verify.scheme, keyField: verify.key, optional: verify.optional === true };
}

/** The settings of a trigger of an app that receiving a call needs. */
export function hookSettingsOf(node: NodeDefinition): WebhookSettings {
  const webhook = appWebhookOf(kindOf(node.type));
  const descriptor = describeKind(kindOf(node.type) ?? '');
  const type = descriptor === undefined ? '' : credentialTypeOf(node, descriptor);
  return {
    callers: {
      authentication: webhook === undefined ? '' : 'hook',
      credentialId: credentialOf(node, type),
      ipWhitelist: [],
      ignoreBots: false,
    },
    responseMode: 'onReceived',
    responseCode: 200,
    responseHeaders: [],
    noResponseBody: false,
    allowedOrigins: [],
    wholeBody: 'never',
    rawBody: false,
    fileProperty: '',
    outputsByMethod: false,
    ...(webhook === undefined ? {} : { hook: rulesOf(webhook, type) }),
  };
}
