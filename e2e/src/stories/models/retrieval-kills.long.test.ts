import { startProxy, startStack, type Proxy, type Stack } from '@weft/local-stack';
import { serveModels, type ModelServer } from '@weft/models/testing';
import { activate, openAiCredential } from '../../support/agents';
import { killRunner, QUICK_RECOVERY } from '../../support/processes/kill';
import { callWebhook, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { serveQdrant, type QdrantServer } from '../../support/vector-stores/qdrant';
import { storeWorkflow, textsOf, type StoryStore } from '../../support/vector-stores/store-workflow';

/** Long enough that 150 vectors need two writes to the files of a workflow. */
const LONG_VECTOR = 12_000;
const POSTGRES = process.env['TEST_POSTGRES_URL'] ?? '';
const MOMENTS = [
  'before its first write',
  'between two writes',
  'after its last write, before the answer',
  'after the answer, before its result is stored',
] as const;
type Moment = (typeof MOMENTS)[number];
const RESULT = 'after the answer, before its result is stored';
/** Documents of a result that is sent as it is; a larger one is compressed. */
const SMALL = 60;

describe('an insertion of documents whose runner is killed', () => {
  let stack: Stack;
  let rest: Rest;
  let models: ModelServer;
  let qdrant: QdrantServer;
  let postgres: Proxy;
  let embedding = '';
  /** The links of the runner to the services that store files and results. */
  const links: { workflows?: Proxy; executions?: Proxy } = {};
  let killed = Promise.resolve();
  let kills = 0;

  beforeAll(async () => {
    models = await serveModels();
    models.embedWith((texts) =>
      texts.map((text) => [
        text.length % 7,
        1,
        ...Array.from({ length: text.startsWith('l') ? LONG_VECTOR : 2 }, () => 1),
      ]),
    );
    qdrant = await serveQdrant();
    postgres = await startProxy(Number(new URL(POSTGRES === '' ? 'http://127.0.0.1:9' : POSTGRES).port));
    stack = await startStack({
      env: QUICK_RECOVERY,
      reach: async ({ from, to }) => {
        if (from.service !== 'runner' || (to.name !== 'workflows' && to.name !== 'executions')) return to.port;
        links[to.name] = await startProxy(to.port);
        return links[to.name]?.port ?? to.port;
      },
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    embedding = await openAiCredential(rest, `${models.url}/v1`);
  });
  const all = (): (Proxy | undefined)[] => [links.workflows, links.executions, postgres];
  beforeEach(() => {
    kills = 0;
  });
  afterEach(() => {
    qdrant.onWrite = () => false;
    for (const link of all()) {
      link?.setTap(() => false);
      link?.setMode({ kind: 'pass' });
      link?.release();
    }
  });
  afterAll(async () => {
    await stack?.stop();
    for (const link of all()) link?.close();
    await Promise.all([models?.close(), qdrant?.stop()]);
  });

  /** Kills the runner, and starts it again with links that pass. Held pieces are lost. */
  const kill = (): void => {
    kills += 1;
    killed = (async () => {
      for (const link of all()) link?.cut();
      const restarted = killRunner(stack);
      for (const link of all()) {
        link?.setTap(() => false);
        link?.setMode({ kind: 'pass' });
        link?.release();
      }
      await restarted;
    })();
  };
  /** Kills when the runner sends the result of the node that inserts. */
  const killAtResult = (): void =>
    links.executions?.setTap((piece, isAnswer) => {
      if (isAnswer || !piece.includes('pageContent')) return false;
      kill();
      return true;
    });
  /** Kills at a write that a proxy sees. @param isWrite true for the first piece of a write */
  const killAtPiece = (
    link: Proxy | undefined,
    moment: Moment,
    last: number,
    isWrite: (piece: Buffer) => boolean,
  ): void => {
    let writes = 0;
    const wanted = moment === 'before its first write' ? 1 : last;
    link?.setTap((piece, isAnswer) => {
      if (isAnswer || !isWrite(piece)) return false;
      writes += 1;
      if (writes !== wanted) return false;
      if (moment === 'after its last write, before the answer') {
        link.setMode({ kind: 'lose-answers' });
        setTimeout(kill, 1_500);
        return false;
      }
      kill();
      return true;
    });
  };

  /** Inserts strings in a run that is expected to succeed. */
  const add = async (path: string, texts: readonly string[]): Promise<void> => {
    const started = await callWebhook(stack.baseUrls[0] ?? '', `${path}-add`, { texts });
    expect(started.status).toBe(200);
    const execution = `/executions/${started.headers.get('x-weft-execution-id') ?? ''}`;
    const end = await until('the end of the run', async () => {
      const status = textOf(await rest('GET', execution), 'status');
      return ['success', 'error', 'crashed'].includes(status) && status;
    });
    if (end !== 'success') throw new Error((await rest('GET', execution)).text.slice(0, 2_000));
  };
  const ask = async (path: string, prompt: string): Promise<string[]> => {
    const found = await until('the documents', async () => {
      const answer = await callWebhook(stack.baseUrls[0] ?? '', `${path}-ask`, { prompt });
      return answer.status === 200 && answer;
    });
    return textsOf(found.text).sort();
  };
  const textsFor = (moment: Moment, prefix: string, count: number): string[] =>
    Array.from(
      { length: moment === RESULT ? SMALL : count },
      (_, at) => `${prefix}${MOMENTS.indexOf(moment)} ${String(at).padStart(4, '0')}`,
    );
  const activated = (store: StoryStore): Promise<string> => activate(rest, storeWorkflow(store, { embedding }));

  describe('into the simple vector store', () => {
    const path = 'kills-memory';
    const stored: string[] = ['long seed'];

    beforeAll(async () => {
      await activated({
        kind: 'vectorStoreInMemory',
        path,
        resource: { memoryKey: { __rl: true, mode: 'id', value: path } },
      });
      await add(path, stored);
    });

    it.each(MOMENTS)('stores each document once, killed %s', async (moment) => {
      const texts = textsFor(moment, 'long', 150);
      if (moment === RESULT) killAtResult();
      else
        killAtPiece(
          links.workflows,
          moment,
          2,
          (piece) => piece.includes('vector-stores/') && piece.includes('"pageContent"'),
        );
      await add(path, texts);
      await killed;
      expect(kills).toBe(1);
      stored.push(...texts);
      expect(await ask(path, 'long')).toEqual(stored.toSorted());
    });
  });

  describe('into Qdrant', () => {
    const path = 'kills-qdrant';
    const stored: string[] = ['seed'];

    beforeAll(async () => {
      const data = { qdrantUrl: qdrant.url, apiKey: 'qd-0123456789' };
      const id = textOf(await rest('POST', '/credentials', { name: 'Qdrant', type: 'qdrantApi', data }), 'id');
      const resource = { qdrantCollection: { __rl: true, mode: 'id', value: path } };
      await activated({
        kind: 'vectorStoreQdrant',
        path,
        resource,
        credentials: { qdrantApi: { id, name: 'Qdrant' } },
      });
      await add(path, stored);
    });

    it.each(MOMENTS)('stores each document once, killed %s', async (moment) => {
      const texts = textsFor(moment, 'q', 1_100);
      const first = qdrant.writes() + 1;
      if (moment === RESULT) killAtResult();
      else
        qdrant.onWrite = (write, step) => {
          const at = { 'before its first write': 0, 'between two writes': 1 }[moment as string] ?? 2;
          const isWanted = step === (at === 2 ? 'stored' : 'received') && write === first + at;
          if (!isWanted) return false;
          qdrant.onWrite = () => false;
          kill();
          return true;
        };
      await add(path, texts);
      await killed;
      expect(kills).toBe(1);
      stored.push(...texts);
      expect(qdrant.points(path).map(({ payload }) => payload['content'])).toHaveLength(stored.length);
      expect(
        qdrant
          .points(path)
          .map(({ payload }) => String(payload['content']))
          .sort(),
      ).toEqual(stored.toSorted());
    });
  });

  const describeAt = POSTGRES === '' ? describe.skip : describe;
  describeAt(`into PostgreSQL${POSTGRES === '' ? ' (skipped: TEST_POSTGRES_URL is not set)' : ''}`, () => {
    const path = 'kills-postgres';
    const stored: string[] = ['seed'];

    beforeAll(async () => {
      const { username: user, password } = new URL(POSTGRES);
      const data = { host: '127.0.0.1', port: postgres.port, database: 'postgres', user, password, ssl: 'disable' };
      const id = textOf(await rest('POST', '/credentials', { name: 'Postgres', type: 'postgres', data }), 'id');
      const resource = { tableName: `kills_${process.pid}` };
      await activated({
        kind: 'vectorStorePGVector',
        path,
        resource,
        credentials: { postgres: { id, name: 'Postgres' } },
      });
      await add(path, stored);
    });

    it.each(MOMENTS)('stores each document once, killed %s', async (moment) => {
      const texts = textsFor(moment, 'p', 220);
      if (moment === RESULT) killAtResult();
      else if (moment === 'after its last write, before the answer')
        killAtPiece(postgres, moment, 1, (piece) => piece.includes('COMMIT'));
      else killAtPiece(postgres, moment, 2, (piece) => piece.includes('INSERT INTO'));
      await add(path, texts);
      await killed;
      expect(kills).toBe(1);
      stored.push(...texts);
      expect(await ask(path, 'p')).toEqual(stored.toSorted());
    });
  });
});
