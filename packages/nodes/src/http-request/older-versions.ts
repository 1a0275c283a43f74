import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { Read } from '../shared/http/settings';

/** Authentication values of version 1 and the credential types they became in version 2. */
const GENERIC: Readonly<Record<string, string>> = {
  basicAuth: 'httpBasicAuth',
  digestAuth: 'httpDigestAuth',
  headerAuth: 'httpHeaderAuth',
  queryAuth: 'httpQueryAuth',
  oAuth1: 'oAuth1Api',
  oAuth2: 'oAuth2Api',
};
const FORMATS: Readonly<Record<string, string>> = { json: 'json', string: 'text', file: 'file' };
const WITH_BODY: readonly Json[] = ['PATCH', 'POST', 'PUT', 'DELETE'];

type Rule = (read: Read) => Json | undefined;

/** Maps parameter paths of version 4 to versions 1 and 2. A path that is not listed did not exist. */
const RULES: Readonly<Record<string, Rule>> = {
  method: methodOf,
  url: (read) => read('url'),
  nodeCredentialType: (read) => read('nodeCredentialType'),
  sendQuery: (read) => hasSome(read, 'queryParametersJson', 'queryParametersUi.parameter'),
  specifyQuery: howSpecified,
  'queryParameters.parameters': (read) => read('queryParametersUi.parameter'),
  jsonQuery: (read) => read('queryParametersJson'),
  sendHeaders: (read) => hasSome(read, 'headerParametersJson', 'headerParametersUi.parameter'),
  specifyHeaders: howSpecified,
  'headerParameters.parameters': (read) => read('headerParametersUi.parameter'),
  jsonHeaders: (read) => read('headerParametersJson'),
  sendBody: (read) =>
    WITH_BODY.includes(methodOf(read)) &&
    (sendsFile(read) || hasSome(read, 'bodyParametersJson', 'bodyParametersUi.parameter')),
  contentType: (read) => {
    const given = read('options.bodyContentType') ?? 'json';
    return sendsFile(read) && given === 'raw' ? 'binaryData' : given;
  },
  specifyBody: howSpecified,
  'bodyParameters.parameters': (read) =>
    sendsFile(read) ? fileParts(read('binaryPropertyName')) : read('bodyParametersUi.parameter'),
  jsonBody: (read) => read('bodyParametersJson'),
  bodyFieldsJson: (read) => (isJson(read) ? read('bodyParametersJson') : undefined),
  body: (read) => read('bodyParametersJson'),
  rawContentType: (read) => read('options.bodyContentCustomMimeType'),
  inputDataFieldName: (read) => read('binaryPropertyName') ?? 'data',
  'options.response.response.responseFormat': (read) => FORMATS[String(read('responseFormat') ?? 'json')] ?? 'json',
  'options.response.response.outputPropertyName': (read) => read('dataPropertyName'),
  'options.response.response.fullResponse': (read) => read('options.fullResponse'),
  'options.response.response.splitIntoItems': (read) => read('options.splitIntoItems') === true,
  'options.response.response.parsesText': () => true,
  'options.response.response.neverError': (read) => read('options.ignoreResponseCode'),
  'options.redirect.redirect.followRedirects': (read) =>
    ['GET', 'HEAD'].includes(String(methodOf(read)))
      ? (read('options.followRedirect') ?? true)
      : (read('options.followAllRedirects') ?? false),
  'options.batching.batch': batching,
  'options.timeout': (read) => read('options.timeout'),
  'options.sendIdempotencyKey': (read) => read('options.sendIdempotencyKey'),
  'options.proxy': (read) => read('options.proxy'),
  'options.allowUnauthorizedCerts': (read) => read('allowUnauthorizedCerts'),
  'options.queryParameterArrays': (read) => (read('options.useQueryString') === true ? 'repeat' : 'indices'),
};

/**
 * Makes the parameters of any version readable by the paths of version 4. Version 3 uses the paths of version 4 but
 * does not follow redirects by default.
 */
export function asNewest(version: number, read: Read): Read {
  if (version >= 4) return read;
  if (version >= 3)
    return (path, roots) =>
      read(path, roots) ?? (path === 'options.redirect.redirect.followRedirects' ? false : undefined);
  const rules: Readonly<Record<string, Rule>> = {
    ...RULES,
    authentication: authenticationOf(version),
    genericAuthType: genericTypeOf(version),
  };
  return (path) => (Object.hasOwn(rules, path) ? rules[path]?.(read) : undefined);
}

function methodOf(read: Read): Json {
  return read('requestMethod') ?? 'GET';
}

function authenticationOf(version: number): Rule {
  return (read) => {
    const given = read('authentication') ?? 'none';
    return version < 2 && Object.hasOwn(GENERIC, String(given)) ? 'genericCredentialType' : given;
  };
}

function genericTypeOf(version: number): Rule {
  return (read) => (version < 2 ? GENERIC[String(read('authentication'))] : read('genericAuthType'));
}

function howSpecified(read: Read): Json {
  return isJson(read) ? 'json' : 'keypair';
}

function isJson(read: Read): boolean {
  return read('jsonParameters') === true;
}

function sendsFile(read: Read): boolean {
  return isJson(read) && read('sendBinaryData') === true;
}

function hasSome(read: Read, jsonPath: string, listPath: string): boolean {
  const given = isJson(read) ? read(jsonPath) : read(listPath);
  if (typeof given === 'string') return given.trim() !== '';
  if (Array.isArray(given)) return given.length > 0;
  return isJsonObject(given) && Object.keys(given).length > 0;
}

/** `field:property, field2:property2`; a single name stands for both. */
function fileParts(given: Json | undefined): JsonObject[] {
  return String(given ?? 'data')
    .split(',')
    .map((entry) => {
      const [name = '', property = name] = entry.split(':').map((text) => text.trim());
      return { parameterType: 'formBinaryData', name, inputDataFieldName: property };
    });
}

function batching(read: Read): Json | undefined {
  const size = read('options.batchSize');
  const interval = read('options.batchInterval');
  if (size === undefined && interval === undefined) return undefined;
  return { batchSize: size ?? 50, batchInterval: interval ?? 1_000 };
}
