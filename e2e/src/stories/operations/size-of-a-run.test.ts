import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { callWebhook, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node } from '../../support/workflows';

const PAGE = join(__dirname, '../../../../../docs/operations/capacity.md');
const PATH = 'size/of-a-run';

/** Rows of the table of the page: bytes of the body, and bytes of the documents of its run. */
const told = [...readFileSync(PAGE, 'utf8').matchAll(/^\| ([\d,]+) \| ([\d,]+) \|/gm)].map(
  ([, body = '', stored = '']) => [body, stored].map((number) => Number(number.replaceAll(',', ''))),
);

const setNode = node('Set', 'set', 3.4, 200, {
  mode: 'manual',
  includeOtherFields: true,
  options: {},
  assignments: { assignments: [{ id: '1', name: 'seen', type: 'boolean', value: true }] },
});

describe('docs/operations/capacity.md', () => {
  let stack: Stack;
  let rest: Rest;
  let store: mongoose.Connection;
  beforeAll(async () => {
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const hook = node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: PATH, responseMode: 'lastNode' });
    const connections = connect({ Hook: [['Set']] });
    const definition = { name: 'of a usual size', nodes: [hook, setNode], connections, settings: {} };
    await rest('POST', '/workflows', { ...definition, active: true });
    store = await mongoose.createConnection(stack.mongodbUri, { dbName: `${stack.namespace}_executions` }).asPromise();
  });
  afterAll(async () => {
    await store?.close();
    await giveStackBack(stack);
  });

  /** Bytes of all documents of a run, once it has ended. */
  const storedBytes = async (executionId: string): Promise<number> => {
    await until('the run has ended', async () => {
      const answer = await rest('GET', `/executions/${executionId}`);
      return answer.status === 200 && textOf(answer, 'status') === 'success';
    });
    const parts = ['executionChunks', 'executionSegments'].map((name) =>
      store.collection(name).find({ executionId }).toArray(),
    );
    const own = store.collection<{ _id: string }>('executions').find({ _id: executionId }).toArray();
    const documents = (await Promise.all([own, ...parts])).flat();
    expect(documents.length).toBeGreaterThan(0);
    return documents.reduce((sum, document) => sum + mongoose.mongo.BSON.calculateObjectSize(document), 0);
  };

  it('has figures', () => {
    expect(told.length).toBeGreaterThan(2);
  });

  it.each(told)(
    'says what the run of a webhook with a body of %i bytes takes in the store',
    async (body = 0, bytes = 0) => {
      const requestId = `size-${body}`;
      const text = randomBytes(body).toString('base64').slice(0, body);
      const noise = body === 0 ? {} : { text };
      expect((await callWebhook(stack.baseUrls[0] ?? '', PATH, noise, { 'x-request-id': requestId })).status).toBe(200);
      const row = await until(
        'the run is stored',
        async () =>
          (await store.collection<{ _id: string }>('executions').findOne({ requestId }, { projection: { _id: 1 } })) ??
          undefined,
      );
      const found = await storedBytes(row._id);
      // Ids and times differ in length by a little.
      expect(Math.abs(found - bytes) / bytes).toBeLessThan(0.05);
    },
  );
});
