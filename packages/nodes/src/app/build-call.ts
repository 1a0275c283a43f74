import type { AppDocument } from '@weft/app-model';
import { field, type Json } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { type ExpressionScope, TemplateFile, TemplateMail } from '@weft/expressions';
import { fitsHosts } from '@weft/outbound';
import { type CredentialParts, NO_CREDENTIAL } from '../shared/http/authentication/apply-credential';
import { textOf } from '../shared/http/request/read-fields';
import type { BodySettings, Fields, Part, RequestSettings } from '../shared/http/settings';
import type { AppCredential } from './app-run';
import { hostOfUrl } from './choose-credential';
import type { PreparedRequest } from './prepare-request';
import type { CallTarget } from './send-call';
import { asObject, type Template } from './template';

/** Timeout of one request in milliseconds. */
const TIMEOUT_MS = 300_000;
const MAX_REDIRECTS = 5;

/**
 * The request for one item, which can reach the hosts that its app declares.
 * @throws NodeFailure if a template fails, or does not give a value of the right form
 */
export function buildCall(request: PreparedRequest, { run, scope, credential }: CallTarget): RequestSettings {
  const body = request.body === undefined ? undefined : bodyOf(request, request.body, scope);
  return {
    method: methodOf(request.method, scope),
    url: urlOf(request, scope),
    query: request.query.flatMap((template) => queryOf(template, scope)),
    listStyle: request.listStyle,
    headers: request.headers.flatMap((template) =>
      queryOf(template, scope).map(([name, value]) => [name, textOf(value)] as const),
    ),
    ...(body === undefined ? {} : { body }),
    timeoutMs: TIMEOUT_MS,
    followRedirects: true,
    maxRedirects: MAX_REDIRECTS,
    allowUnauthorizedCerts: false,
    declaredHosts: declaredHosts(run.app, credential),
  };
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']);

function methodOf(method: Template | string, scope: ExpressionScope): string {
  if (typeof method === 'string') return method;
  const given = method.text(scope) ?? '';
  if (!METHODS.has(given)) throw new NodeFailure(`The app requests an unknown method: ${given.slice(0, 20)}`);
  return given;
}

/** Begins an entry of `hosts` that names a field of the credential with the URL of the service. */
const CREDENTIAL_HOST = '$credential.';

/** The hosts that an app declares, those in its credential included. */
function declaredHosts({ hosts }: AppDocument, credential: AppCredential | undefined): readonly string[] {
  if (!hosts.some((host) => host.startsWith(CREDENTIAL_HOST))) return hosts;
  return hosts.flatMap((host) => {
    if (!host.startsWith(CREDENTIAL_HOST)) return [host];
    return hostOfUrl(credential?.publicFields[host.slice(CREDENTIAL_HOST.length)] ?? '') ?? [];
  });
}

/**
 * The additions of a credential to a request.
 * @throws NodeFailure if the request goes to a host that is not one of the credential's type
 */
export function additionsOf(
  { sendsCredential, pathPrefix }: PreparedRequest,
  credential: AppCredential | undefined,
  { url }: RequestSettings,
): CredentialParts {
  if (!sendsCredential || credential === undefined) return NO_CREDENTIAL;
  const { hostname, port, protocol } = new URL(url);
  const ownPort = Number(port || (protocol === 'http:' ? 80 : 443));
  if (credential.hosts.length > 0 && !fitsHosts(hostname, ownPort, credential.hosts))
    throw new NodeFailure(
      `The credential of type ${credential.type} is only sent to ${credential.hosts.join(', ')}, and not to ` +
        `"${hostname}".`,
    );
  const { parts } = credential;
  return pathPrefix === '' ? parts : { ...parts, pathPrefix: `${pathPrefix}${parts.pathPrefix}` };
}

function urlOf({ url, path }: PreparedRequest, scope: ExpressionScope): string {
  const base = (url.text(scope) ?? '').replace(/\/$/, '');
  const suffix = path?.text(scope) ?? '';
  if (suffix !== '' && !suffix.startsWith('/'))
    throw new NodeFailure(`The path of a request of an app must begin with a slash: ${suffix.slice(0, 80)}`);
  const text = `${base}${suffix}`;
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text))
    throw new NodeFailure(`The app requests an invalid URL: ${text.slice(0, 200)}`);
  return text;
}

function queryOf(template: Template, scope: ExpressionScope): Fields {
  return Object.entries(asObject(template.json(scope)) ?? {});
}

function bodyOf(request: PreparedRequest, template: Template, scope: ExpressionScope): BodySettings | undefined {
  const { multipart } = request;
  if (typeof multipart === 'boolean' ? multipart : multipart.holds(scope))
    return { kind: 'multipart', parts: partsOf(template, scope) };
  if (request.isForm) {
    const value = template.json(scope);
    const fields = Object.entries(asObject(value) ?? {});
    return value === undefined ? undefined : { kind: 'form', fields, listStyle: request.listStyle };
  }
  if (request.isTextSent)
    return {
      kind: 'text',
      text: template.text(scope) ?? '',
      contentType: 'text/plain; charset=utf-8',
      isTypeFixed: false,
    };
  const body = template.body(scope);
  if (body === undefined) return undefined;
  if (body.kind === 'json')
    return {
      kind: 'json',
      value: body.value,
      mails: body.mails.map(({ path, mail }) => ({ path, message: mail.message })),
      files: body.files.map(({ path, file }) => ({ path, property: file.property })),
    };
  const { property, mimeType } = body.file;
  return { kind: 'file', property, ...(mimeType === undefined ? {} : { mimeType }) };
}

function partsOf(template: Template, scope: ExpressionScope): Part[] {
  const fields = template.fields(scope);
  if (fields === undefined) throw new NodeFailure('A multipart body of an app must be an object.');
  return [...fields].map(([name, value]): Part => {
    if (value instanceof TemplateMail) throw new NodeFailure('A mail cannot be a field of a multipart body.');
    if (!(value instanceof TemplateFile)) return { name, value };
    const { property, fileName, mimeType } = value;
    return {
      name,
      file: property,
      ...(fileName === undefined ? {} : { fileName }),
      ...(mimeType === undefined ? {} : { mimeType }),
    };
  });
}

/** The value at a path of names, `a.b.c`, in JSON. */
export function valueAtPath(value: Json, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((current, step) => field(current, step), value);
}
