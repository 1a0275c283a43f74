import {
  booleanField,
  field,
  listField,
  numberField,
  objectField,
  textField,
  type JsonObject,
} from '@weft/service-kit/json';
import type { NodeDefinition } from './definition';
import { describeKind } from './kinds';
import { isExpression, parameterOrDefault, plainText, versionOf } from './parameters';
import { webhookMethods } from './routes';

/** How a webhook checks its caller. The secrets themselves stay in the credentials service. */
export type WebhookAuthentication =
  | { readonly kind: 'none' }
  /** Something that is not supported, or only known during a run: every call is to be refused. */
  | { readonly kind: 'unsupported' }
  | {
      readonly kind: 'basicAuth' | 'headerAuth' | 'jwtAuth';
      readonly credentialType: 'httpBasicAuth' | 'httpHeaderAuth' | 'jwtAuth';
      /** Absent if the node names none: every call is refused then. */
      readonly credentialId?: string;
    };

/** When a webhook answers: as soon as the run is stored, with the result of the last node, or by a Respond node. */
export type ResponseMode = 'onReceived' | 'lastNode' | 'responseNode';

/** What lastNode answers hold. */
export type ResponseData = 'allEntries' | 'firstEntryJson' | 'firstEntryBinary' | 'noData';

/** What the intake of a webhook has to know of its node. */
export interface WebhookSettings {
  readonly node: string;
  readonly methods: readonly string[];
  readonly authentication: WebhookAuthentication;
  readonly responseMode: ResponseMode;
  /** Status of the answer when nothing went wrong. */
  readonly responseCode: number;
  /** Headers of the answer, in the order stated. Expressions are not supported there, and are left out. */
  readonly responseHeaders: readonly { readonly name: string; readonly value: string }[];
  /** Text of the answer given at once; absent: a standard sentence. */
  readonly responseText?: string;
  /** True: the answer given at once has no body. */
  readonly noResponseBody: boolean;
  readonly responseData: ResponseData;
  /** Which file of the first item `firstEntryBinary` means. */
  readonly responseBinaryPropertyName: string;
  /** The answer is this field of the first item, not the whole item. */
  readonly responsePropertyName?: string;
  /** Content type for that field. */
  readonly responseContentType?: string;
  /** Addresses or CIDR blocks that may call; empty: everyone. */
  readonly ipWhitelist: readonly string[];
  readonly ignoreBots: boolean;
  /** The body is kept as a file besides what is read of it. */
  readonly rawBody: boolean;
  /** Whether a body is a file as a whole: always, if it is of a type that is not read, or never. */
  readonly wholeBody: 'always' | 'other' | 'never';
  /** The node's own name for files; empty: none. */
  readonly fileProperty: string;
  /** For the Access-Control-Allow-Origin header: `*` or a list separated by commas. */
  readonly allowedOrigins: string;
}

const RESPONSE_MODES: readonly ResponseMode[] = ['onReceived', 'lastNode', 'responseNode'];
const RESPONSE_DATA: readonly ResponseData[] = ['allEntries', 'firstEntryJson', 'firstEntryBinary', 'noData'];
const CREDENTIAL_TYPES = { basicAuth: 'httpBasicAuth', headerAuth: 'httpHeaderAuth', jwtAuth: 'jwtAuth' } as const;

/**
 * Reads the settings of a webhook node, with the defaults of its version. Never throws; faults are for
 * `checkDefinition`.
 */
export function webhookSettingsOf(node: NodeDefinition): WebhookSettings {
  const options = objectField(node.parameters, 'options') ?? {};
  const isNew = versionOfWebhook(node) > 1;
  const text = fixedText(options, 'responseData');
  const property = fixedText(options, 'responsePropertyName');
  const contentType = fixedText(options, 'responseContentType');
  return {
    node: node.name,
    methods: webhookMethods(node),
    authentication: authenticationOf(node),
    responseMode: RESPONSE_MODES.find((mode) => mode === stated(node, 'responseMode')) ?? 'onReceived',
    responseCode: responseCodeOf(node, options),
    responseHeaders: headersOf(options),
    ...(text === undefined || text === '' ? {} : { responseText: text }),
    noResponseBody: booleanField(options, 'noResponseBody') ?? false,
    responseData: RESPONSE_DATA.find((data) => data === stated(node, 'responseData')) ?? 'firstEntryJson',
    responseBinaryPropertyName: fixedText(node.parameters, 'responseBinaryPropertyName') ?? 'data',
    ...(property === undefined || property === '' ? {} : { responsePropertyName: property }),
    ...(contentType === undefined || contentType === '' ? {} : { responseContentType: contentType }),
    ipWhitelist: addressList(options),
    ignoreBots: booleanField(options, 'ignoreBots') ?? false,
    rawBody: isNew && (booleanField(options, 'rawBody') ?? false),
    wholeBody: isNew ? 'other' : booleanField(options, 'binaryData') === true ? 'always' : 'never',
    fileProperty: fixedText(options, 'binaryPropertyName') ?? '',
    allowedOrigins: fixedText(options, 'allowedOrigins') ?? '*',
  };
}

function versionOfWebhook(node: NodeDefinition): number {
  const descriptor = describeKind('webhook');
  return descriptor === undefined ? 1 : versionOf(node, descriptor);
}

/** The entries of the option `ipWhitelist`. */
export function addressList(options: JsonObject): string[] {
  return (fixedText(options, 'ipWhitelist') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function stated(node: NodeDefinition, name: string): unknown {
  const descriptor = describeKind('webhook');
  return descriptor && parameterOrDefault(node.parameters, descriptor, versionOf(node, descriptor), name);
}

function authenticationOf(node: NodeDefinition): WebhookAuthentication {
  const kind = stated(node, 'authentication');
  if (kind === 'none') return { kind: 'none' };
  if (kind !== 'basicAuth' && kind !== 'headerAuth' && kind !== 'jwtAuth') return { kind: 'unsupported' };
  const credentialType = CREDENTIAL_TYPES[kind];
  const credentialId = node.credentials?.[credentialType]?.id;
  return { kind, credentialType, ...(credentialId === undefined ? {} : { credentialId }) };
}

function responseCodeOf(node: NodeDefinition, options: JsonObject): number {
  const values = objectField(objectField(options, 'responseCode'), 'values');
  const code =
    field(values, 'responseCode') === 'customCode'
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
