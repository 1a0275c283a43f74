import {
  booleanField,
  field,
  listField,
  numberField,
  objectField,
  textField,
  type JsonObject,
} from '@weft/service-kit/json-values';
import type { CallerRules, WebhookSettings } from '@weft/proto/channels';
import {
  type NodeDefinition,
  isExpression,
  plainParameter,
  plainText,
  plainValue,
  versionOf,
} from '@weft/node-catalogue';
import { describeKind } from '../descriptors/kinds';

/**
 * When a webhook responds: once the run is stored, with the result of the last node, by a Respond node, with text while
 * nodes write it, or with the messages that nodes send to the chat of the run.
 */
export type ResponseMode = 'onReceived' | 'lastNode' | 'responseNode' | 'streaming' | 'chat';

/** Content of a lastNode response. */
export type ResponseData = 'allEntries' | 'firstEntryJson' | 'firstEntryBinary' | 'noData';

/** Settings of the response to the caller of a webhook. */
export interface WebhookResponse {
  readonly responseMode: ResponseMode;
  /** Status of the response if the run succeeds. */
  readonly responseCode: number;
  /** In definition order. Expressions are not supported, and are left out. */
  readonly responseHeaders: readonly { readonly name: string; readonly value: string }[];
  readonly responseData: ResponseData;
  /** Property of the first item's file for `firstEntryBinary`. */
  readonly responseBinaryPropertyName: string;
  /** Responds with this field of the first item instead of the whole item. */
  readonly responsePropertyName?: string;
  /** Content type for that field. */
  readonly responseContentType?: string;
  /** A caller who still waits when the run pauses learns that, in place of items. */
  readonly tellsPause?: true;
}

const RESPONSE_MODES: readonly ResponseMode[] = ['onReceived', 'lastNode', 'responseNode', 'streaming', 'chat'];
const RESPONSE_DATA: readonly ResponseData[] = ['allEntries', 'firstEntryJson', 'firstEntryBinary', 'noData'];
const CREDENTIAL_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['basicAuth', 'httpBasicAuth'],
  ['headerAuth', 'httpHeaderAuth'],
  ['jwtAuth', 'jwtAuth'],
  ['signature', 'webhookSignature'],
]);

/**
 * Reads the settings of a webhook node that receiving a call needs, with the defaults of its version. Never throws;
 * `checkDefinition` reports errors.
 */
export function webhookSettingsOf(node: NodeDefinition): WebhookSettings {
  const options = optionsOf(node);
  const isNew = versionOfWebhook(node) > 1;
  const text = fixedText(options, 'responseData');
  const { responseMode, responseCode, responseHeaders, responseContentType } = webhookResponseOf(node);
  return {
    callers: webhookCallers(node),
    responseMode,
    responseCode,
    responseHeaders: [...responseHeaders],
    ...(text === undefined || text === '' ? {} : { responseText: text }),
    ...(responseContentType === undefined ? {} : { responseContentType }),
    noResponseBody: booleanField(options, 'noResponseBody') ?? false,
    allowedOrigins: entriesOf(fixedText(options, 'allowedOrigins') ?? '*'),
    wholeBody: isNew ? 'other' : booleanField(options, 'binaryData') === true ? 'always' : 'never',
    rawBody: booleanField(options, 'rawBody') ?? false,
    fileProperty: fixedText(options, 'binaryPropertyName') ?? '',
    outputsByMethod: Array.isArray(given(node, 'httpMethod')),
  };
}

/**
 * Reads the settings of the response to the caller of a webhook, with the defaults of the node's version. Never throws.
 */
export function webhookResponseOf(node: NodeDefinition): WebhookResponse {
  const options = optionsOf(node);
  const property = fixedText(options, 'responsePropertyName');
  const contentType = fixedText(options, 'responseContentType');
  return {
    responseMode: RESPONSE_MODES.find((mode) => mode === given(node, 'responseMode')) ?? 'onReceived',
    responseCode: responseCodeOf(node, options),
    responseHeaders: headersOf(options),
    responseData: RESPONSE_DATA.find((data) => data === given(node, 'responseData')) ?? 'firstEntryJson',
    responseBinaryPropertyName: fixedText(node.parameters, 'responseBinaryPropertyName') ?? 'data',
    ...(property === undefined || property === '' ? {} : { responsePropertyName: property }),
    ...(contentType === undefined || contentType === '' ? {} : { responseContentType: contentType }),
  };
}

/** Reads who may call a webhook. */
export function webhookCallers(node: NodeDefinition): CallerRules {
  return callersOf(node, given(node, 'authentication'), CREDENTIAL_TYPES);
}

/**
 * Reads who may call a node. An authentication that is unknown, or only known during a run, rejects every caller.
 * @param credentialTypes credential types by the node's authentication setting
 */
export function callersOf(
  node: NodeDefinition,
  authentication: unknown,
  credentialTypes: ReadonlyMap<unknown, string>,
): CallerRules {
  const options = optionsOf(node);
  const credentialType = credentialTypes.get(authentication);
  const isKnown = authentication === 'none' || credentialType !== undefined;
  return {
    authentication: isKnown ? String(authentication) : 'unsupported',
    credentialId: (credentialType === undefined ? undefined : node.credentials?.[credentialType]?.id) ?? '',
    ipWhitelist: entriesOf(fixedText(options, 'ipWhitelist') ?? ''),
    ignoreBots: booleanField(options, 'ignoreBots') ?? false,
  };
}

function optionsOf(node: NodeDefinition): JsonObject {
  return objectField(node.parameters, 'options') ?? {};
}

function versionOfWebhook(node: NodeDefinition): number {
  const descriptor = describeKind('webhook');
  return descriptor === undefined ? 1 : versionOf(node, descriptor);
}

/** The entries of a list that is separated by commas. */
export function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function given(node: NodeDefinition, name: string): unknown {
  const descriptor = describeKind('webhook');
  return descriptor && plainParameter(node, descriptor, name);
}

function responseCodeOf(node: NodeDefinition, options: JsonObject): number {
  const values = objectField(objectField(options, 'responseCode'), 'values');
  const code =
    plainValue(field(values, 'responseCode')) === 'customCode'
      ? numberField(values, 'customCode')
      : numberField(values, 'responseCode');
  const chosen = code ?? numberField(node.parameters, 'responseCode') ?? 200;
  return Number.isInteger(chosen) && chosen >= 200 && chosen <= 599 ? chosen : 200;
}

function headersOf(options: JsonObject): { name: string; value: string }[] {
  return listField(objectField(options, 'responseHeaders'), 'entries').flatMap((entry) => {
    const name = fixedText(entry, 'name');
    const value = fixedText(entry, 'value');
    return name === undefined || name === '' || value === undefined ? [] : [{ name, value }];
  });
}

function fixedText(value: unknown, key: string): string | undefined {
  const text = textField(value, key);
  return text === undefined || isExpression(text) ? undefined : plainText(text);
}
