import { type FileStore, type Item, NodeFailure } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import type { OutboundRequest } from '@weft/outbound';
import type { CredentialParts } from '../authentication/apply-credential';
import { queryString, withQuery } from './query-string';
import type { RequestSettings, ResponseSettings } from '../settings';
import { writeBody } from './write-body';

/** Inputs of a request besides its settings. */
export interface RequestDeps {
  readonly credential: CredentialParts;
  readonly format: ResponseSettings['format'];
  /** The item whose files may be sent. */
  readonly item: Item | undefined;
  readonly files: FileStore | undefined;
  /** Sent with the request if it has side effects and its settings ask for a key. */
  readonly idempotencyKey?: string;
  readonly signal: AbortSignal;
  readonly maxResponseBytes: number;
}

type Headers = readonly (readonly [string, string])[];

/** Methods with side effects. Only these send an idempotency key: strict services reject headers they do not know. */
const ACTS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

const ACCEPT_ANY =
  'application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9, image/*;q=0.8, */*;q=0.7';

/** n8n's values for headers used in content negotiation, so that a service responds as it does to n8n. */
const ACCEPT: Readonly<Record<ResponseSettings['format'], string>> = {
  autodetect: ACCEPT_ANY,
  json: 'application/json,text/*;q=0.99',
  text: 'application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9, */*;q=0.1',
  file: ACCEPT_ANY,
};

/**
 * Builds the outgoing request. Headers of a credential replace headers of the same name.
 * @throws NodeFailure if the body cannot be written
 */
export async function buildRequest(settings: RequestSettings, around: RequestDeps): Promise<OutboundRequest> {
  const { credential } = around;
  return {
    method: settings.method,
    url: withQuery(
      withPrefix(settings.url, credential.pathPrefix),
      [...settings.query, ...credential.query],
      settings.listStyle,
    ),
    ...(await contentOf(settings, around, credential.body)),
    timeoutMs: settings.timeoutMs,
    maxResponseBytes: around.maxResponseBytes,
    followRedirects: settings.followRedirects,
    maxRedirects: settings.maxRedirects,
    allowUnauthorizedCerts: settings.allowUnauthorizedCerts,
    ...(settings.clientCertificate === undefined ? {} : { clientCertificate: settings.clientCertificate }),
    signal: around.signal,
    secretHeaders: credential.headers.map(([name]) => name),
    credential: {
      query: queryString(credential.query, settings.listStyle),
      // Most credentials add nothing to the body, which is then the same everywhere.
      ...(Object.keys(credential.body).length === 0 || !settings.followRedirects
        ? {}
        : { elsewhere: await contentOf(settings, around, {}) }),
    },
    ...(settings.declaredHosts === undefined ? {} : { declaredHosts: settings.declaredHosts }),
    ...(credential.allowedHosts === undefined ? {} : { allowedHosts: credential.allowedHosts }),
    ...keyOf(settings, around),
  };
}

/** Headers and body. @param added fields of the credential for the body */
async function contentOf(
  settings: RequestSettings,
  { credential, format, item, files }: RequestDeps,
  added: JsonObject,
): Promise<Pick<OutboundRequest, 'headers' | 'body'>> {
  const body = settings.body === undefined ? undefined : await writeBody(settings.body, added, item, files);
  const fixed = body?.isTypeFixed === true ? [['content-type', body.contentType] as const] : [];
  const given = [...withoutNames(settings.headers, [...credential.headers, ...fixed]), ...fixed];
  const headers = withDefaults(withDefaults([...given, ...credential.headers], credential.fallbackHeaders), [
    ['accept', ACCEPT[format]],
    ...(body === undefined ? [] : [['content-type', body.contentType] as const]),
  ]);
  if (body === undefined) return { headers };
  return { headers: withBoundary(headers, body.contentType), body: body.bytes };
}

function keyOf(
  { sendsIdempotencyKey, method }: RequestSettings,
  { idempotencyKey }: RequestDeps,
): Pick<OutboundRequest, 'idempotencyKey'> {
  if (sendsIdempotencyKey !== true || idempotencyKey === undefined || !ACTS.has(method.toUpperCase())) return {};
  return { idempotencyKey };
}

function withoutNames(headers: Headers, names: Headers): Headers {
  const taken = new Set(names.map(([name]) => name.toLowerCase()));
  return headers.filter(([name]) => !taken.has(name.toLowerCase()));
}

function withDefaults(headers: Headers, defaults: Headers): Headers {
  return [...headers, ...withoutNames(defaults, headers)];
}

/** A multipart type set by the user cannot contain the boundary. */
function withBoundary(headers: Headers, contentType: string): Headers {
  if (!contentType.startsWith('multipart/')) return headers;
  return headers.map(
    ([name, value]) =>
      [
        name,
        name.toLowerCase() === 'content-type' && /^multipart\/form-data/i.test(value) ? contentType : value,
      ] as const,
  );
}

function withPrefix(text: string, prefix: string): string {
  if (prefix === '') return text;
  const url = new URL(text);
  if (!URL.canParse(`${url.origin}${prefix}`))
    throw new NodeFailure('The credential contains characters that are not allowed in a URL.');
  if (url.pathname === '/') url.pathname = prefix;
  else if (!url.pathname.startsWith(`${prefix}/`)) url.pathname = `${prefix}${url.pathname}`;
  return url.href;
}
