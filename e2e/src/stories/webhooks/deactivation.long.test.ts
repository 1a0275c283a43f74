import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import mongoose from 'mongoose';
import { callWebhook, restClient, textOf, type Rest, type RestAnswer } from '../../support/rest';
import { until } from '../../support/until';
import { smallWorkflow } from '../../support/workflows';

/** Callers at each gateway, each with one call at a time. */
const CALLERS = 8;
const ROUNDS = 5;
/** Calls of each gateway before and after the operation that ends the webhook. */
const CALLS = 24;

/** One call, by the clock of the test. */
interface Call {
  readonly n: number;
  readonly sentAt: number;
  readonly status: number;
}

/** Callers that call one webhook as fast as they can. */
interface Callers {
  readonly calls: readonly Call[];
  readonly stop: () => Promise<void>;
}

let nextNumber = 0;

const startCallers = (baseUrls: readonly string[], path: string): Callers => {
  const calls: Call[] = [];
  let isOver = false;
  const call = async (baseUrl: string): Promise<void> => {
    while (!isOver) {
      nextNumber += 1;
      const n = nextNumber;
      const sentAt = performance.now();
      const { status } = await callWebhook(baseUrl, path, { n });
      calls.push({ n, sentAt, status });
    }
  };
  const calling = baseUrls.flatMap((baseUrl) => Array.from({ length: CALLERS }, () => call(baseUrl)));
  return {
    calls,
    stop: async () => {
      isOver = true;
      await Promise.all(calling);
    },
  };
};

describe('a webhook that two gateways are called at, as fast as their callers can', () => {
  let stack: Stack;
  let clients: Rest[];
  let store: mongoose.Connection;

  beforeAll(async () => {
    stack = await borrowStack({ replicas: 2 });
    clients = stack.baseUrls.map((baseUrl) => restClient(baseUrl, stack.apiKey));
    store = await mongoose.createConnection(stack.mongodbUri, { dbName: `${stack.namespace}_executions` }).asPromise();
  });
  afterAll(async () => {
    await store.close();
    await giveStackBack(stack);
  });

  const clientOf = (round: number): Rest => {
    const client = clients[round % clients.length];
    if (client === undefined) throw new Error('No gateway.');
    return client;
  };
  /** Numbers of the calls for which a workflow has executions. */
  const accepted = async (workflowId: string): Promise<ReadonlySet<number>> => {
    const executions = store.collection<{ input: mongoose.mongo.Binary }>('executions');
    // In one batch, because the runs are still being written (decision 0037).
    const rows = await executions.find({ workflowId }, { batchSize: 100_000 }).toArray();
    return new Set(rows.map(({ input }) => JSON.parse(input.toString('utf8'))[0].json.body.n));
  };
  const expectDone = ({ status, text }: RestAnswer): void => expect([status, text]).toEqual([200, text]);

  const ends: readonly {
    readonly how: string;
    readonly mode: 'onReceived' | 'lastNode';
    readonly end: (rest: Rest, id: string, path: string) => Promise<RestAnswer>;
  }[] = [
    { how: 'it is deactivated', mode: 'lastNode', end: (rest, id) => rest('POST', `/workflows/${id}/deactivate`) },
    { how: 'it is deactivated', mode: 'onReceived', end: (rest, id) => rest('POST', `/workflows/${id}/deactivate`) },
    {
      how: 'it is replaced by one that listens elsewhere',
      mode: 'lastNode',
      end: (rest, id, path) => rest('PUT', `/workflows/${id}`, { ...smallWorkflow(`${path}-moved`), active: true }),
    },
    { how: 'it is deleted', mode: 'lastNode', end: (rest, id) => rest('DELETE', `/workflows/${id}`) },
  ];

  it.each(ends)('accepts no call (answered by $mode) that is sent after the answer that $how', async (one) => {
    const { end, mode } = one;
    const path = `ends-${ends.indexOf(one)}`;
    const workflow = { ...smallWorkflow(path, { responseMode: mode }), active: true };
    let workflowId = '';
    for (let round = 0; round < ROUNDS; round += 1) {
      // The workflow after the last round: deleted, or there without this webhook.
      const rest = clientOf(round);
      const found = workflowId === '' ? 404 : (await rest('GET', `/workflows/${workflowId}`)).status;
      if (found === 404) workflowId = textOf(await rest('POST', '/workflows', workflow), 'id');
      else {
        expectDone(await rest('PUT', `/workflows/${workflowId}`, workflow));
        expectDone(await rest('POST', `/workflows/${workflowId}/activate`));
      }
      const callers = startCallers(stack.baseUrls, path);
      await until('calls are accepted', async () => callers.calls.length >= CALLS);
      expectDone(await end(clientOf(round + 1), workflowId, path));
      const endedAt = performance.now();
      const later = (): readonly Call[] => callers.calls.filter(({ sentAt }) => sentAt > endedAt);
      await until('calls are refused', async () => later().length >= CALLS);
      await callers.stop();
      expect(later().filter(({ status }) => status !== 404)).toEqual([]);
      const before = callers.calls.filter(({ sentAt }) => sentAt <= endedAt);
      expect(before.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
      const stored = await accepted(workflowId);
      expect(later().filter(({ n }) => stored.has(n))).toEqual([]);
      // Every accepted call has its execution.
      expect(before.filter(({ n, status }) => status === 200 && !stored.has(n))).toEqual([]);
    }
  });
});
