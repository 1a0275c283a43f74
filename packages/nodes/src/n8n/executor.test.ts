import type { InstanceCall } from '@weft/engine';
import { closeAfterEach } from '@weft/service-kit/testing';
import { startCaseServer } from '../testing/servers/case-server';
import { runKind } from '../testing/cases/run-kind';

/** An instance that responds to each call from an array. */
const instanceOf = (answers: readonly object[], here = 'https://weft.example') => {
  const calls: [string, InstanceCall][] = [];
  return {
    calls,
    isHere: (url: string) => Promise.resolve(url.startsWith(here)),
    call: (node: string, call: InstanceCall) => {
      calls.push([node, call]);
      const json = { ...answers[calls.length - 1] };
      return Promise.resolve({ json, bytes: JSON.stringify(json).length });
    },
  };
};

const credentials = { n8nApi: { id: 'c1', name: 'n8n' } };

describe('the n8n node on this instance', () => {
  it('calls this instance with its own name if it has no credential', async () => {
    const instance = instanceOf([{ id: 'w1' }]);
    const { outputs } = await runKind('n8n', { instance, parameters: { operation: 'get', workflowId: 'w1' } });
    expect(outputs).toEqual([[{ id: 'w1' }]]);
    expect(instance.calls).toEqual([['Node', { call: 'getWorkflow', workflowId: 'w1' }]]);
  });

  it.each([
    ['no URL', { apiKey: 'k' }],
    ['an empty URL', { apiKey: 'k', baseUrl: ' ' }],
    ['a URL of this instance', { apiKey: 'k', baseUrl: 'https://weft.example/api/v1' }],
  ])('calls this instance if its credential has %s', async (_, credential) => {
    const instance = instanceOf([{ id: 'w1' }]);
    await runKind('n8n', {
      instance,
      credential,
      node: { credentials },
      parameters: { operation: 'get', workflowId: 'w1' },
    });
    expect(instance.calls).toHaveLength(1);
  });

  it('reads further pages up to its limit, even if a page is incomplete', async () => {
    const entries = (...ids: string[]) => ids.map((id) => ({ id }));
    const instance = instanceOf([
      { data: entries('a'), nextCursor: '1' },
      { data: [], nextCursor: '2' },
      { data: entries('b', 'c', 'd'), nextCursor: '3' },
    ]);
    const { outputs } = await runKind('n8n', { instance, parameters: { returnAll: false, limit: 3 } });
    expect(outputs).toEqual([entries('a', 'b', 'c')]);
    expect(instance.calls.map(([, call]) => call.call === 'listWorkflows' && call.page.cursor)).toEqual([
      undefined,
      '1',
      '2',
    ]);
  });

  it('sends only filters that the node sets', async () => {
    const instance = instanceOf([{ data: [] }, { data: [] }]);
    await runKind('n8n', { instance, items: [{}, {}], parameters: { filters: { name: 'x' } } });
    expect(instance.calls[0]?.[1]).toMatchObject({
      filter: { active: undefined, name: 'x', tags: undefined, excludePinnedData: undefined },
    });
  });

  it('stops reading when the responses exceed the output limit of a node', async () => {
    let calls = 0;
    const instance = {
      isHere: () => Promise.resolve(true),
      call: () => {
        calls += 1;
        return Promise.resolve({ json: { data: [{ id: calls }], nextCursor: 'more' }, bytes: 10 * 1024 * 1024 });
      },
    };
    const { error } = await runKind('n8n', { instance });
    expect(error?.message).toMatch(/^The responses of this node exceed/);
    expect(calls).toBeLessThan(20);
  });

  it('outputs an error item for a failed call, and continues', async () => {
    let calls = 0;
    const instance = {
      isHere: () => Promise.resolve(true),
      call: () =>
        (calls += 1) === 1
          ? Promise.reject(new Error('No workflow has id w1.'))
          : Promise.resolve({ json: { id: 'w2' }, bytes: 11 }),
    };
    const { outputs } = await runKind('n8n', {
      instance,
      items: [{ id: 'w1' }, { id: 'w2' }],
      node: { onError: 'continueRegularOutput' },
      parameters: { operation: 'get', workflowId: '={{ $json.id }}' },
    });
    expect(outputs).toEqual([[{ error: 'No workflow has id w1.' }, { id: 'w2' }]]);
  });
});

describe('the n8n node on another instance', () => {
  const later = closeAfterEach();
  const KEY = 'n8n_api_secret-of-mine';

  it.each([
    [401, 'Authorization failed - please check your credentials'],
    [403, 'Forbidden - perhaps check your credentials?'],
  ])('reports a key that is rejected with %d, and never shows it', async (status, message) => {
    const server = later(await startCaseServer(), (open) => open.close());
    server.answerWith({ status, body: JSON.stringify({ message: `no such key: ${KEY}` }) });
    for (const onError of ['stopWorkflow', 'continueRegularOutput']) {
      const { error, outputs } = await runKind('n8n', {
        http: server.http,
        credential: { apiKey: KEY, baseUrl: `${server.url}/api/v1` },
        node: { credentials, onError },
        parameters: { operation: 'get', workflowId: 'w1' },
      });
      if (onError === 'stopWorkflow') expect(error).toMatchObject({ name: 'NodeApiError', message });
      else expect(outputs[0]).toHaveLength(1);
      expect(server.last().headers['x-n8n-api-key']).toBe(KEY);
      expect(JSON.stringify([error, outputs])).not.toContain(KEY);
    }
  });

  it('reports a credential without a key', async () => {
    const server = later(await startCaseServer(), (open) => open.close());
    const { error } = await runKind('n8n', {
      http: server.http,
      credential: { apiKey: '', baseUrl: `${server.url}/api/v1` },
      node: { credentials },
      parameters: { operation: 'get', workflowId: 'w1' },
    });
    expect(error?.message).toContain('apiKey');
  });
});
