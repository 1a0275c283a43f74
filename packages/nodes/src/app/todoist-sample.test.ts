import { checkApp } from '@weft/app-model/check';
import type { Json, JsonObject } from '@weft/node-catalogue';
import type { OutboundHttp } from '@weft/outbound';
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { runAppKind } from './testing/run-app';

const SAMPLE = join(__dirname.split(`${sep}packages${sep}`)[0] ?? '', 'samples/apps/todoist.yaml');

/** The app that was made by the steps of docs/guides/add-an-app.md. */
const todoist = () => {
  const checked = checkApp('todoist.yaml', readFileSync(SAMPLE, 'utf8'));
  if (checked.kind !== 'app') throw new Error(checked.problems.map(({ message }) => message).join('\n'));
  return checked.app;
};

/** Runs a node against answers of Todoist, in order. */
const run = async (parameters: JsonObject, answers: readonly { status?: number; body?: Json }[]) => {
  const urls: string[] = [];
  const http: OutboundHttp = {
    request: async ({ method, url }) => {
      const { status = 200, body } = answers[urls.length] ?? { status: 500 };
      urls.push(`${method} ${url.replace('https://api.todoist.com/api/v1', '')}`);
      const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
      return { status, statusText: '', headers: {}, body: bytes, url };
    },
  };
  const { items, error } = await runAppKind({ app: todoist(), http, parameters, credential: { apiKey: 'k' } });
  return { urls, items: items.map(({ json }) => json), error: error?.message };
};

describe('the app for Todoist', () => {
  it('creates a task', async () => {
    const parameters = { content: 'Call back', options: { priority: 4 } };
    expect(await run(parameters, [{ body: { id: 't1' } }])).toEqual({
      urls: ['POST /tasks'],
      items: [{ id: 't1' }],
      error: undefined,
    });
  });

  it('reads all pages of tasks', async () => {
    const pages = [{ body: { results: [{ id: 'a' }], next_cursor: 'c' } }, { body: { results: [{ id: 'b' }] } }];
    const { urls, items } = await run({ operation: 'list', returnAll: true }, pages);
    expect(urls).toEqual(['GET /tasks?limit=200', 'GET /tasks?limit=200&cursor=c']);
    expect(items).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  it('closes a task, whose response has no body', async () => {
    const { urls, items } = await run({ operation: 'close', taskId: '7' }, [{ status: 204 }]);
    expect([urls, items]).toEqual([['POST /tasks/7/close'], [{ closed: '7' }]]);
  });

  it('fails with the message of the service', async () => {
    const { error } = await run({ content: 'x' }, [{ status: 401, body: { error: 'Unauthorized' } }]);
    expect(error).toBe('Todoist refused the request: Unauthorized');
  });
});
