import { startStack, type Stack } from '@weft/local-stack';
import { serveModels, type ModelServer } from '@weft/models/testing';
import { activate, openAiCredential } from '../../support/agents';
import { callWebhook, restClient, textOf, type Rest, type RestAnswer } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { storeWorkflow, textsOf, type StoryStore } from '../../support/vector-stores/store-workflow';

const SECRET = 'zebra secret of the healthy owner';
/** The same key for both owners, as templates have it. */
const KEY = { memoryKey: { __rl: true, mode: 'list', value: 'vector_store_key' } };
const POSTGRES = process.env['TEST_POSTGRES_URL'] ?? '';
/** Searches of the healthy owner while the other one is at work. */
const SEARCHES = 20;

describe('an owner who stores as many documents as possible', () => {
  let stack: Stack;
  let models: ModelServer;
  let healthy: Rest;
  let hostile: Rest;
  let embeddings: { readonly healthy: string; readonly hostile: string };

  beforeAll(async () => {
    models = await serveModels();
    stack = await startStack({
      env: { credentials: { RATE_LIMIT_PER_MINUTE: '0' }, runner: { OUTBOUND_ALLOW: '127.0.0.1' } },
    });
    const url = stack.baseUrls[0] ?? '';
    healthy = restClient(url, stack.apiKey);
    hostile = restClient(url, await makeUser(stack, 'hostile', 'admin'));
    embeddings = {
      healthy: await openAiCredential(healthy, `${models.url}/v1`),
      hostile: await openAiCredential(hostile, `${models.url}/v1`),
    };
    await activate(
      healthy,
      storeWorkflow(memory('healthy'), { embedding: embeddings.healthy, responseMode: 'lastNode' }),
    );
    await activate(hostile, storeWorkflow(memory('hostile'), { embedding: embeddings.hostile }));
    expect((await call('healthy-add', { texts: [SECRET, 'moon'] })).status).toBe(200);
  });
  afterAll(async () => {
    await stack?.stop();
    await models?.close();
  });

  const memory = (path: string): StoryStore => ({ kind: 'vectorStoreInMemory', path, resource: KEY });
  const call = (path: string, body: object): Promise<RestAnswer> => callWebhook(stack.baseUrls[0] ?? '', path, body);
  const ask = async (path: string, prompt: string): Promise<string[]> => {
    const { status, text } = await call(`${path}-ask`, { prompt });
    if (status !== 200) throw new Error(text.slice(0, 500));
    return textsOf(text);
  };
  /** Starts a run of the hostile owner. @returns its status and all that it shows */
  const attack = async (path: string, body: object): Promise<{ status: string; shown: string }> => {
    const { headers, text } = await call(path, body);
    const id = headers.get('x-weft-execution-id');
    if (id === null) throw new Error(text.slice(0, 500));
    return until('the end of a run', async () => {
      const answer = await hostile('GET', `/executions/${id}`);
      const status = textOf(answer, 'status');
      return ['success', 'error', 'crashed'].includes(status) && { status, shown: answer.text };
    });
  };
  /** Does something while the healthy owner searches. */
  const besideSearches = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const found: string[][] = [];
    const searches = (async () => {
      for (let search = 0; search < SEARCHES; search += 1) found.push(await ask('healthy', 'zebra'));
    })();
    const [result] = await Promise.all([work(), searches]);
    expect(found).toHaveLength(SEARCHES);
    for (const texts of found) expect(texts).toEqual([SECRET, 'moon']);
    return result;
  };

  it('fills a store of the same name, and finds neither more than fits nor anything of others', async () => {
    const texts = Array.from({ length: 2_400 }, (_, at) => `zebra ${at}`);
    const ends = await besideSearches(async () => [
      await attack('hostile-add', { texts }),
      await attack('hostile-add', { texts }),
      await attack('hostile-add', { texts }),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['success', 'success', 'error']);
    expect(ends[2]?.shown).toContain('would have 7200 documents; at most 5000 fit');
    const found = await ask('hostile', 'zebra');
    expect(found).toHaveLength(1_000);
    expect(found.join()).not.toContain('secret');
  });

  it.each<[string, object, string]>([
    [
      '5,001 documents at once',
      { texts: Array.from({ length: 5_001 }, () => 'a') },
      'got 5001 documents; at most 5000',
    ],
    ['a text of 5 MB', { texts: ['x'.repeat(5_000_000)] }, 'at most 4194304 can be loaded'],
  ])('cannot store %s', async (_name, body, message) => {
    const { status, shown } = await besideSearches(() => attack('hostile-add', body));
    expect(status).toBe('error');
    expect(shown).toContain(message);
  });

  it('gets the vectors of a model that sends anything but numbers refused', async () => {
    const bad: readonly (readonly [() => unknown, string])[] = [
      [() => [null, null], 'not made of numbers'],
      [() => Array.from({ length: 16_001 }, () => 1), 'at most 16000 fit'],
      [() => [], 'no vector for text 0'],
      [() => [1, 2, 3], 'has vectors of 26 numbers, not of 3'],
    ];
    for (const [vector, message] of bad) {
      models.embedWith((texts) => JSON.parse(JSON.stringify(texts.map(vector))));
      const { status, shown } = await attack('hostile-add', { texts: ['x'] });
      expect([status, shown.includes(message)]).toEqual(['error', true]);
    }
    models.embedWith((texts) =>
      texts.map((text) => [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => text.split(letter).length - 1)),
    );
    expect(await ask('healthy', 'zebra')).toEqual([SECRET, 'moon']);
  });

  it('stores expressions, HTML and statements as text', async () => {
    const texts = [
      '{{ $env.HOME }} ={{ 1 + 1 }}',
      '<script>alert(1)</script>',
      `'; DROP TABLE x; --`,
      '$where',
      '\u0000',
    ];
    await activate(
      hostile,
      storeWorkflow({ ...memory('texts'), resource: { memoryKey: 'texts' } }, { embedding: embeddings.hostile }),
    );
    expect((await attack('texts-add', { texts })).status).toBe('success');
    // an empty text, or one of a NUL, has no words
    expect(new Set(await ask('texts', 'script'))).toEqual(new Set(texts.slice(0, 4).concat('\u0000')));
  });

  const itIn = POSTGRES === '' ? it.skip : it;
  itIn('cannot name a table that is a statement, and stores hostile text in PostgreSQL', async () => {
    const { port, username: user, password } = new URL(POSTGRES);
    const data = { host: '127.0.0.1', port: Number(port), database: 'postgres', user, password, ssl: 'disable' };
    const id = textOf(await hostile('POST', '/credentials', { name: 'Db', type: 'postgres', data }), 'id');
    const credentials = { postgres: { id, name: 'Db' } };
    const store = (path: string, tableName: string, options = {}): StoryStore => ({
      ...{ kind: 'vectorStorePGVector', path, credentials },
      resource: { tableName },
      options,
    });
    const scene = { embedding: embeddings.hostile };
    await activate(hostile, storeWorkflow(store('inject', `x"; DROP TABLE y; --`), scene));
    const injected = await attack('inject-add', { texts: ['a'] });
    expect([injected.status, injected.shown.includes('Invalid table name')]).toEqual(['error', true]);

    await activate(hostile, storeWorkflow(store('rows', `hostile_${process.pid}`), scene));
    const texts = ['a\u0000b', `'); DROP TABLE x; --`, '\ud800 half'];
    expect((await attack('rows-add', { texts })).status).toBe('success');
    expect(new Set(await ask('rows', 'a'))).toEqual(new Set(['ab', `'); DROP TABLE x; --`, '\ufffd half']));
  });
});
