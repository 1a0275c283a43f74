import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { startProxy, startStack, type Proxy, type Stack } from '@weft/local-stack';
import { checkout } from '../../corpus/places';
import { callWebhook, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node } from '../../support/workflows';

const CLOCK = join(checkout, 'packages/chaos/dist/src/preload/jump-clock.js');
const JUMPS = 4;
/** Longer than the pause between two sweeps of the stack. */
const AFTER_JUMP_MS = 2_500;
const RUNS = 5;
/** About 1 MB that cannot be compressed to less than one chunk. */
const RANDOM_TEXT = 'Array.from({ length: 100_000 }, () => Math.random().toString(36).slice(2)).join("")';

const COLLECTION = /execution(?:Chunks|Segments)\0/;
/** The documents of a MongoDB answer, as the length of their array; 5 is the length of an empty one. */
const BATCH = /\x04(?:first|next)Batch\0(.{4})/s;

/** The collection whose documents the beginning of a response contains. */
const foundIn = (answer: string): string | undefined => {
  const [, length = '\x05\0\0\0'] = BATCH.exec(answer) ?? [];
  return length === '\x05\0\0\0' ? undefined : COLLECTION.exec(answer)?.[0];
};

describe('data of stored runs', () => {
  const proxies: Proxy[] = [];
  let found: string[] = [];
  let stack: Stack;
  let rest: Rest;
  let base = '';

  beforeAll(async () => {
    stack = await startStack({
      env: { executions: { NODE_OPTIONS: `--require=${CLOCK}` }, credentials: { RATE_LIMIT_PER_MINUTE: '0' } },
      reach: async ({ from, to }) => {
        if (from.service !== 'executions' || to.name !== 'mongodb') return to.port;
        const proxy = await startProxy(to.port);
        proxy.setTap((piece, isAnswer) => {
          const name = isAnswer ? foundIn(piece.toString('latin1')) : undefined;
          if (name !== undefined) found.push(name);
          return false;
        });
        proxies.push(proxy);
        return proxy.port;
      },
    });
    [base = ''] = stack.baseUrls;
    rest = restClient(base, stack.apiKey);
  });
  /** A read that the services must not make. */
  const readOne = async (port: number): Promise<void> => {
    const uri = stack.mongodbUri.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
    const store = await mongoose.createConnection(uri, { dbName: `${stack.namespace}_executions` }).asPromise();
    await store.collection('executionChunks').findOne({}, { projection: { _id: 1 } });
    await store.close();
  };
  afterAll(async () => {
    await stack.stop();
    for (const proxy of proxies) proxy.close();
  });

  it('is read by those who ask for it alone, however much time passes', async () => {
    const workflow = {
      name: 'large',
      nodes: [
        node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'large', responseMode: 'onReceived' }),
        node('Large', 'code', 2, 200, { jsCode: `return [{ json: { text: ${RANDOM_TEXT} } }]` }),
      ],
      connections: connect({ Hook: [['Large']] }),
      settings: { executionOrder: 'v1' },
    };
    const id = textOf(await rest('POST', '/workflows', workflow), 'id');
    expect((await rest('POST', `/workflows/${id}/activate`)).status).toBe(200);
    for (let n = 0; n < RUNS; n += 1) expect((await callWebhook(base, 'large', { n })).status).toBe(200);
    await until('the ends', async () => {
      const all = listOf(await rest('GET', `/executions?workflowId=${id}`));
      return all.length === RUNS && all.every(({ status }) => status === 'success') && all;
    });

    await sleep(AFTER_JUMP_MS);
    found = [];
    const service = stack.processes.find(({ service: name }) => name === 'executions');
    for (let jump = 0; jump < JUMPS; jump += 1) {
      service?.kill('SIGWINCH');
      await sleep(AFTER_JUMP_MS);
    }
    expect(found).toEqual([]);

    for (const { port } of proxies) await readOne(port);
    expect(found).not.toEqual([]);
  });
});
