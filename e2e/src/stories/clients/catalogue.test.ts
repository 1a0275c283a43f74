import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { dataOf, restClient, textOf, type Rest } from '../../support/rest';
import { PUBLISHED_VERSIONS } from '../../support/canaries/published-versions';
import { connect, node } from '../../support/workflows';
import { until } from '../../support/until';

interface Kind {
  readonly kind: string;
  readonly versions: readonly number[];
  readonly parameters: readonly {
    readonly name: string;
    readonly default?: unknown;
    readonly since?: number;
    readonly until?: number;
  }[];
}
const isList = (value: unknown): value is readonly Kind[] => Array.isArray(value);

describe('the catalogue of node kinds', () => {
  let stack: Stack;
  let rest: Rest;
  beforeAll(async () => {
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
  });
  const kinds = async (): Promise<readonly Kind[]> => {
    const { data } = (await rest('GET', '/node-types')).json;
    return isList(data) ? data : [];
  };

  it('is served whole, and not again to a client that has it', async () => {
    const first = await rest('GET', '/node-types');
    expect([first.status, (await kinds()).map(({ kind }) => kind)]).toEqual([
      200,
      expect.arrayContaining(['code', 'httpRequest', 'if', 'merge', 'set', 'webhook']),
    ]);
    const again = await rest('GET', '/node-types', undefined, { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(dataOf(await rest('GET', '/node-types/n8n-nodes-base.set'))).toMatchObject({ kind: 'set' });
  });

  it('has every version that n8n publishes of its kinds, except those that an app does not build', async () => {
    const served = new Map((await kinds()).map(({ kind, versions }) => [kind, versions]));
    const missing = Object.entries(PUBLISHED_VERSIONS).flatMap(([kind, versions]) =>
      versions.filter((version) => served.get(kind)?.includes(version) !== true).map((version) => `${kind} ${version}`),
    );
    expect(missing).toEqual([
      'googleAnalytics 1',
      'googleSheets 1',
      'googleSheets 2',
      'langchain.chainSummarization 1',
      'seaTable 1',
      'slack 1',
      'slack 2.5',
      'slack 2.6',
      'slack 2.7',
      'twitter 1',
    ]);
    // a kind that is new here is looked up there
    expect([...served.keys()].filter((kind) => !Object.hasOwn(PUBLISHED_VERSIONS, kind))).toEqual([]);
  });

  it('is enough to build a node that runs', async () => {
    const limit = (await kinds()).find(({ kind }) => kind === 'limit');
    const version = limit?.versions.at(-1) ?? 0;
    const parameters = Object.fromEntries((limit?.parameters ?? []).map((one) => [one.name, one.default]));
    const created = await rest('POST', '/workflows', {
      name: 'built',
      settings: {},
      connections: connect({ Start: [['Limit']] }),
      nodes: [node('Start', 'manualTrigger', 1, 0), node('Limit', limit?.kind ?? '', version, 200, parameters)],
    });
    const started = await rest('POST', `/workflows/${textOf(created, 'id')}/execute`, { data: { n: 1 } });
    await until(
      'the run has ended',
      async () => dataOf(await rest('GET', `/executions/${textOf(started, 'executionId')}`))['status'] === 'success',
    );
  });

  it('is checked at activation: an unknown option is a warning, and an unsupported choice an error', async () => {
    const store = (parameters: Readonly<Record<string, unknown>>, path: string) =>
      rest('POST', '/workflows', {
        name: 'unknown option',
        settings: {},
        connections: connect({ Hook: [['Call']] }),
        nodes: [
          node('Hook', 'webhook', 2, 0, { path }),
          node('Call', 'httpRequest', 4.2, 200, { url: 'http://example.com', ...parameters }),
        ],
      });
    const activate = async (id: string) => rest('POST', `/workflows/${id}/activate`);
    const odd = await activate(textOf(await store({ options: { retries: 3 } }, 'catalogue/unknown'), 'id'));
    expect([odd.status, odd.json]).toMatchObject([
      200,
      {
        warnings: [
          {
            field: expect.stringContaining('options.retries'),
            message: expect.stringContaining('the option `retries` is not supported'),
          },
        ],
      },
    ]);
    const refused = await activate(textOf(await store({ method: 'FETCH' }, 'catalogue/refused'), 'id'));
    expect([refused.status, refused.json.error?.details?.['fields']]).toEqual([
      400,
      [
        {
          field: expect.stringContaining('parameters.method'),
          message: expect.stringContaining('"FETCH", which is not supported'),
        },
      ],
    ]);
  });
});
