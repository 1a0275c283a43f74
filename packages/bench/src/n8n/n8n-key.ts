import { StackError } from '@weft/local-stack';
import { randomBytes } from 'node:crypto';
import { fieldOf, requestJson } from '../json-client';

/** Sets up the owner of a new n8n, and returns an API key of theirs that may do everything. */
export const createN8nKey = async (baseUrl: string): Promise<string> => {
  let headers: Readonly<Record<string, string>> = { 'browser-id': 'weft-bench' };
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const reply = await requestJson(`${baseUrl}/rest${path}`, { method, headers, body });
    const cookies = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    if (cookies.length > 0) headers = { ...headers, cookie: cookies.join('; ') };
    return fieldOf(reply.json, 'data');
  };
  const password = `${randomBytes(12).toString('hex')}Aa1`;
  await call('POST', '/owner/setup', { email: 'bench@example.org', firstName: 'B', lastName: 'B', password });
  const scopes = await call('GET', '/api-keys/scopes');
  const key = fieldOf(await call('POST', '/api-keys', { label: 'bench', scopes, expiresAt: null }), 'rawApiKey');
  if (typeof key !== 'string') throw new StackError('n8n gave no API key.');
  return key;
};
