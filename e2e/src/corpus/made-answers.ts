import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpus } from './places';
import type { Answer, SeenRequest } from './recorded-answers';

/**
 * Gives the answer of one host whose answers the corpus has no recording of, or undefined for a request it does not
 * know.
 */
export type MadeAnswer = (request: SeenRequest) => Answer | undefined;

const USERS = 15;
const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(value)),
});

/** A list of users in pages, 404 beyond its end; every page names the next one in the header `next-url`. */
const users: MadeAnswer = ({ method, url, headers, body }) => {
  if (url.origin !== 'https://dummyjson.com' || url.pathname !== '/users') return undefined;
  const given = method === 'POST' ? fieldsOf(body) : Object.fromEntries(url.searchParams);
  const [limit, skip] = [Number(given['limit'] ?? 10), Number(given['skip'] ?? 0)];
  const page = Array.from({ length: Math.max(0, Math.min(limit, USERS - skip)) }, (_, index) => ({ id: skip + index }));
  const type = method === 'GET' ? headers['content-type'] : undefined;
  return json(page.length === 0 ? 404 : 200, page, {
    'next-url': `${url.origin}/users?skip=${skip + limit}&limit=${limit}`,
    ...(typeof type === 'string' ? { 'content-type': type } : {}),
  });
};

/** The fields of a JSON or multipart body. */
const fieldsOf = (body: string): Readonly<Record<string, unknown>> =>
  body.startsWith('{')
    ? JSON.parse(body)
    : Object.fromEntries([...body.matchAll(/name="(\w+)"\r\n\r\n([^\r]*)/g)].map(([, name, value]) => [name, value]));

/** One country, whatever the query asks for. */
const countries: MadeAnswer = ({ url }) =>
  url.hostname === 'countries.trevorblades.com'
    ? json(200, { data: { country: { name: 'Germany', code: 'DE', capital: 'Berlin', currency: 'EUR' } } })
    : undefined;

const CSV_CASE = join(corpus, 'real-workflows', 'open', '004-2017-manual-stickynote-import-webhook-b55093.json');

/** The table that the workflow that downloads it holds itself, as what it got when it was made. */
const openData: MadeAnswer = ({ url }) => {
  if (url.hostname !== 'opendata.potsdam.de') return undefined;
  const { pinData } = JSON.parse(readFileSync(CSV_CASE, 'utf8'));
  return {
    status: 200,
    headers: { 'content-type': 'text/csv' },
    body: Buffer.from(String(pinData['Download CSV'][0].binary.data.data), 'base64'),
  };
};

/** All of them, and the hosts they answer for. */
export const madeAnswers: readonly MadeAnswer[] = [users, countries, openData];
export const madeHosts: readonly string[] = ['dummyjson.com', 'countries.trevorblades.com', 'opendata.potsdam.de'];
