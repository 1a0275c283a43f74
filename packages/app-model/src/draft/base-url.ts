import { field, type Json, type JsonObject, listField, objectField, textField } from '@weft/service-kit/json-values';
import type { ApiOperation } from './find-operations';
import type { OpenApi } from './read-openapi';

/** Stands for the address of a service whose document has none. */
const UNKNOWN = 'https://api.example.com';
/** A host as apps name it. */
const HOST = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
const MAX_URL = 500;

/** The address to which the paths of an operation are appended. */
export interface BaseUrl {
  /** With `https://`, without a query. */
  readonly url: string;
  readonly host: string;
  /** Problem with the address of the document; absent if it has none. */
  readonly note?: string;
}

/** The address of an operation: of its first server, or of the document's. */
export function baseUrlOf({ root, isSwagger }: OpenApi, { content, item }: ApiOperation): BaseUrl {
  if (isSwagger) return checked(swaggerUrl(root), false);
  const servers = [content, item, root].map((one) => listField(one, 'servers')).find((list) => list.length > 0) ?? [];
  const given = servers.map((server) => ({
    text: textField(server, 'url') ?? '',
    variables: field(server, 'variables'),
  }));
  const chosen = given.find(({ text }) => /^https:/i.test(text)) ?? given[0] ?? { text: '', variables: undefined };
  const text = filled(chosen.text.slice(0, MAX_URL), chosen.variables);
  return checked(text, text !== chosen.text);
}

function swaggerUrl(root: JsonObject): string {
  const host = textField(root, 'host') ?? '';
  return host === '' ? '' : `https://${host}${textField(root, 'basePath') ?? ''}`.slice(0, MAX_URL);
}

/** The URL with the defaults of its variables. */
function filled(url: string, variables: Json | undefined): string {
  return url.replaceAll(/\{([^{}]{1,100})\}/g, (_, name: string) => {
    const variable = objectField(variables, name);
    const value = field(variable, 'default') ?? listField(variable, 'enum')[0];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : name;
  });
}

function checked(text: string, hasVariables: boolean): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const shown = text === '' ? '' : `, which has "${text.slice(0, 100)}"`;
  if (url === undefined || !HOST.test(url.hostname) || !/^https?:$/.test(url.protocol))
    return {
      url: UNKNOWN,
      host: new URL(UNKNOWN).hostname,
      note: `the address is not in the document${shown}: set it here and in \`hosts\`.`,
    };
  // At most 500 characters.
  const path = url.pathname.replace(/\/+$/, '');
  const port = url.port === '' ? '' : `:${url.port}`;
  return {
    url: `https://${url.hostname}${port}${path}`,
    host: url.hostname,
    ...(hasVariables ? { note: 'the address has variables, which have their defaults here.' } : {}),
  };
}
