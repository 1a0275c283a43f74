import type { WebhookSettings } from '@weft/proto/channels';
import { booleanField, objectField, textField } from '@weft/service-kit/json-values';
import { kindOf, type NodeDefinition, plainParameter, type WorkflowDefinition } from '@weft/node-catalogue';
import { describeKind } from '../descriptors/kinds';
import { callersOf, entriesOf, type ResponseMode, type WebhookResponse } from './webhook-settings';

/** Kind of the trigger of chats. */
export const CHAT_KIND = 'langchain.chatTrigger';

const CREDENTIAL_TYPES: ReadonlyMap<unknown, string> = new Map([['basicAuth', 'httpBasicAuth']]);
const MAX_MESSAGES = 20;

/** The enabled chat triggers that have an address, in the order of the definition. */
export function chatNodes(definition: WorkflowDefinition): NodeDefinition[] {
  return definition.nodes.filter(
    (node) => node.disabled !== true && kindOf(node.type) === CHAT_KIND && node.parameters['public'] === true,
  );
}

/** True if Weft serves a page at the address of a chat. */
export function isHosted(node: NodeDefinition): boolean {
  return given(node, 'mode') !== 'webhook';
}

const RESPONSE_MODES: ReadonlyMap<unknown, ResponseMode> = new Map([
  ['responseNode', 'responseNode'],
  ['responseNodes', 'chat'],
  ['streaming', 'streaming'],
]);

/**
 * How the caller of a chat gets the response: the result of the last node, that of a Respond node, in parts, or by
 * messages of nodes.
 */
export function chatResponseOf(node: NodeDefinition): WebhookResponse {
  return {
    responseMode: RESPONSE_MODES.get(textField(node.parameters['options'], 'responseMode')) ?? 'lastNode',
    responseCode: 200,
    responseHeaders: [],
    responseData: 'firstEntryJson',
    responseBinaryPropertyName: 'data',
  };
}

/** Reads the settings of a chat trigger that receiving a message needs. Never throws. */
export function chatSettingsOf(node: NodeDefinition): WebhookSettings {
  const options = objectField(node.parameters, 'options') ?? {};
  const { responseMode, responseCode } = chatResponseOf(node);
  const initial = textField(node.parameters, 'initialMessages') ?? text(node, 'initialMessages');
  return {
    callers: callersOf(node, given(node, 'authentication'), CREDENTIAL_TYPES),
    responseMode,
    responseCode,
    responseHeaders: [],
    noResponseBody: false,
    allowedOrigins: entriesOf(textField(options, 'allowedOrigins') ?? '*'),
    wholeBody: 'never',
    rawBody: false,
    fileProperty: '',
    outputsByMethod: false,
    ...(isHosted(node)
      ? {
          chat: {
            title: textField(options, 'title') ?? 'Chat',
            subtitle: textField(options, 'subtitle') ?? '',
            initialMessages: initial
              .split('\n')
              .filter((line) => line.trim() !== '')
              .slice(0, MAX_MESSAGES),
            placeholder: textField(options, 'inputPlaceholder') ?? '',
            takesFiles: booleanField(options, 'allowFileUploads') ?? false,
            loadsSession: textField(options, 'loadPreviousSession') === 'memory',
            css: textField(options, 'customCss') ?? '',
          },
        }
      : {}),
  };
}

function given(node: NodeDefinition, name: string): unknown {
  const descriptor = describeKind(CHAT_KIND);
  return descriptor && plainParameter(node, descriptor, name);
}

function text(node: NodeDefinition, name: string): string {
  const value = given(node, name);
  return typeof value === 'string' ? value : '';
}
