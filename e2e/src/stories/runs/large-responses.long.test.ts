import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { childrenOf } from '../../support/processes/child-processes';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { callWebhook, restClient } from '../../support/rest';
import { makeUser } from '../../support/users';
import { connect, node, smallWorkflow, type WorkflowFile } from '../../support/workflows';

/** The heap of the manifests, a fraction of the data that is fetched at once. */
const HEAP = { NODE_OPTIONS: '--max-old-space-size=464' };
const AT_ONCE = 40;
/** Just below the size that marks their owner as one with large data. */
const ROWS = Array.from({ length: 80_000 }, (_, id) => ({
  id,
  name: 'a name of some length',
  email: 'someone@example.test',
  tags: ['a', 'b'],
}));

/** Still large enough to wait for room. */
const FEW = ROWS.slice(0, 20_000);

const fetching = (
  path: string,
  url: string,
  responseMode: 'onReceived' | 'lastNode' = 'onReceived',
): WorkflowFile & { readonly active: true } => ({
  name: path,
  nodes: [
    node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode, options: {} }),
    node('Call', 'httpRequest', 4.2, 200, { url, options: {} }),
    node('Count', 'code', 2, 400, { jsCode: 'return [{ json: { count: $input.all().length } }]' }),
  ],
  connections: connect({ Hook: [['Call']], Call: [['Count']] }),
  settings: { executionOrder: 'v1' },
  active: true,
});

/** Sends the beginning of 8 MB, and then stalls. */
const startStalling = async (): Promise<{ readonly server: Server; readonly url: string }> => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 8_000_000 });
    response.write('['.padEnd(300_000));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};

describe('large responses that one owner fetches at once', () => {
  let stack: Stack;
  let server: LocalServer;

  beforeAll(async () => {
    stack = await borrowStack({ env: { runner: { ...HEAP, OUTBOUND_ALLOW: '127.0.0.1' } } });
    server = await startLocalServer(ROWS);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await server.stop();
  });

  it('are read while a server that has stalled keeps other workflows of the same owner waiting', async () => {
    const [base = ''] = stack.baseUrls;
    const { server: stalling, url } = await startStalling();
    const smaller = await startLocalServer(FEW);
    try {
      const theirs = restClient(base, await makeUser(stack, 'stalled-responses', 'editor'));
      await theirs('POST', '/workflows', fetching('stalled', url));
      await theirs('POST', '/workflows', fetching('beside-stalled', smaller.url, 'lastNode'));
      await Promise.all(Array.from({ length: 10 }, () => callWebhook(base, 'stalled', {})));
      for (let n = 0; n < 3; n += 1) {
        const { status, text } = await callWebhook(base, 'beside-stalled', {});
        expect([status, text]).toEqual([200, `{"count":${FEW.length}}`]);
      }
    } finally {
      stalling.closeAllConnections();
      stalling.close();
      await smaller.stop();
    }
  });

  it('are read one after the other, and neither their runner nor the calls of others suffer', async () => {
    const [base = ''] = stack.baseUrls;
    const [runner] = stack.of('runner');
    const pid = runner?.pid ?? 0;
    const theirs = restClient(base, await makeUser(stack, 'large-responses', 'editor'));
    await theirs('POST', '/workflows', fetching('fetching', server.url));
    const ours = restClient(base, stack.apiKey);
    await ours('POST', '/workflows', { ...smallWorkflow('beside', { responseMode: 'lastNode' }), active: true });
    await Promise.all(Array.from({ length: AT_ONCE }, () => callWebhook(base, 'fetching', {})));
    const overShare = new Set<number>();
    for (let n = 0; n < 100; n += 1) {
      const { status, text } = await callWebhook(base, 'beside', { n });
      expect([status, text]).toEqual([200, `{"total":${n + 1}}`]);
      for (const child of childrenOf(pid, 'over-share/main.js')) overShare.add(child);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(runner?.pid).toBe(pid);
    expect(overShare.size).toBeLessThanOrEqual(1);
    expect(server.requests.length).toBeLessThanOrEqual(AT_ONCE);
  });
});
