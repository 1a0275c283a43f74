import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { createServer, type Server } from 'node:http';
import { listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node } from '../../support/workflows';

const entryOf = (id: string, date: Date): string =>
  `<item><guid>${id}</guid><pubDate>${date.toUTCString()}</pubDate></item>`;

describe('polling triggers', () => {
  let stack: Stack;
  let rest: Rest;
  let server: Server;
  let url: string;
  let entries: string[] = [];
  let status = 200;
  let asked = 0;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(status).end(`<rss version="2.0"><channel>${entries.join('')}</channel></rss>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/feed`;
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    server.close();
  });

  const runs = async (workflowId: string) =>
    listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100&includeData=true`));
  /** The first poll of an activation is due at once. */
  const poll = async (workflowId: string): Promise<void> => {
    const before = asked;
    await rest('POST', `/workflows/${workflowId}/deactivate`);
    await rest('POST', `/workflows/${workflowId}/activate`);
    await until('the feed is asked', () => Promise.resolve(asked > before));
  };
  const ended = (workflowId: string, count: number) =>
    until(`${count} runs are left`, async () => {
      const all = await runs(workflowId);
      return all.length === count && all.every((run) => run['status'] !== 'running') && all;
    });

  it('start a run with what is new, once, fail visibly, and leave no other executions', async () => {
    entries = [entryOf('old', new Date(Date.now() - 60_000))];
    const created = await rest('POST', '/workflows', {
      name: 'feed',
      nodes: [node('Feed', 'rssFeedReadTrigger', 1, 0, { feedUrl: url }), node('Then', 'noOp', 1, 200)],
      connections: connect({ Feed: [['Then']] }),
      settings: { executionOrder: 'v1' },
    });
    const workflowId = textOf(created, 'id');
    await poll(workflowId);
    await ended(workflowId, 0);
    entries = [entryOf('first', new Date()), ...entries];
    await poll(workflowId);
    const [first] = await ended(workflowId, 1);
    expect(JSON.stringify(first)).toContain('"guid":"first"');
    expect(JSON.stringify(first)).not.toContain('"guid":"old"');
    await poll(workflowId);
    await ended(workflowId, 1);
    status = 500;
    await poll(workflowId);
    const all = await ended(workflowId, 2);
    expect(all.map((run) => run['status']).sort()).toEqual(['error', 'success']);
  });
});
