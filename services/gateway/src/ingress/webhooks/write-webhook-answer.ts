import type { HttpResponse } from '@weft/proto/executions';
import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import { isOwnCookie } from '../../http/own-cookies';
import { CONSOLE_POLICY, type HeaderPolicy, passes } from './response-headers';

const MAX_HEADERS = 100;

/** A page in a workflow's response must not act as a page of this host. */
const GUARDS = { 'content-security-policy': 'sandbox allow-scripts allow-forms', 'x-content-type-options': 'nosniff' };

const isValid = (name: string, value: string): boolean => {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};

/** Cookie paths that only match the console or its sign-in: enough such cookies would lock users out. */
const PAGE_PATHS = /^path\s*=\s*\/(?:console|settings)(\/|$)/i;

/**
 * True for a cookie that one of these pages would receive as its own. A cookie without a name is sent back as its bare
 * value, which may look like one, so it is refused as well.
 */
const isForPages = (name: string, value: string): boolean => {
  if (name !== 'set-cookie') return false;
  const [pair = '', ...attributes] = value.split(';');
  const [cookie = '', content] = pair.split('=');
  if (content === undefined || cookie.trim() === '' || isOwnCookie(cookie)) return true;
  return attributes.some((attribute) => PAGE_PATHS.test(attribute.trim()));
};

const policies = new WeakMap<ServerResponse, HeaderPolicy>();

/** Sets which headers the workflow's part of a response may have. Without a call: those of the console's host. */
export const restrictHeaders = (response: ServerResponse, policy: HeaderPolicy): void => {
  policies.set(response, policy);
};

/** Sets the headers that protect every webhook response, errors included. */
export const guardWebhookAnswer = (response: ServerResponse): void => {
  for (const [name, value] of Object.entries(GUARDS)) response.setHeader(name, value);
};

/** Headers of a workflow's response, without those that are refused here or invalid in HTTP. */
export const setWorkflowHeaders = (
  response: ServerResponse,
  headers: readonly { readonly name: string; readonly value: string }[],
): void => {
  const cookies: string[] = [];
  const policy = policies.get(response) ?? CONSOLE_POLICY;
  for (const { name, value } of headers.slice(0, MAX_HEADERS)) {
    const lower = name.toLowerCase();
    if (!passes(lower, policy) || !isValid(name, value) || isForPages(lower, value)) continue;
    if (lower === 'set-cookie') cookies.push(value);
    else response.setHeader(lower, value);
  }
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
};

/** A final status; any other becomes 200. */
export const finalStatus = (status: number): number =>
  Number.isInteger(status) && status >= 200 && status <= 599 ? status : 200;

/** Writes the response of a run. */
export const writeWebhookAnswer = (response: ServerResponse, { statusCode, headers, body }: HttpResponse): void => {
  if (response.headersSent || response.destroyed) return;
  setWorkflowHeaders(response, headers);
  const status = finalStatus(statusCode);
  const isEmpty = status === 204 || status === 304;
  if (!isEmpty) response.setHeader('content-length', body.length);
  response.writeHead(status).end(isEmpty ? undefined : body);
};
