import { StackError, type Stack } from '@weft/local-stack';
import mongoose from 'mongoose';
import { randomBytes } from 'node:crypto';
import type { Api } from '../api';
import { assignment, setNode, webhookChain } from '../loads/webhook-workflow';

type Document = Readonly<Record<string, unknown>>;

/** Result of filling the store. */
export interface Filled {
  /** Ids in the order of their times, oldest first. */
  readonly ids: readonly string[];
  /** Has half of the executions. */
  readonly commonWorkflowId: string;
  /** Has a tenth of them. */
  readonly tenthWorkflowId: string;
}

const BATCH = 500;
const WRITERS = 4;
/** Milliseconds between two executions. */
const APART_MS = 1_000;

/** An id like those of the service, for a time in Unix milliseconds: ids sort by time. */
const idAt = (ms: number): string => {
  const time = Math.trunc(ms).toString(16).padStart(12, '0');
  const random = randomBytes(10).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
};

/** Webhook -> set, as the model of all others. */
const MODEL = webhookChain(
  'bench-stored',
  'onReceived',
  setNode('Set', assignment('who', 'string', '={{ $json.body.customer }}')),
);

/** Runs one execution and returns its document, in the shape that this version of the service stores. */
const runModel = async (api: Api, collection: mongoose.mongo.Collection): Promise<Document> => {
  const workflowId = await api.create(MODEL);
  const reply = await fetch(`${api.baseUrl}/webhook/bench-stored`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      customer: 'Ada',
      lines: Array.from({ length: 6 }, (_, line) => ({ line, note: 'n'.repeat(40) })),
    }),
  });
  if (!reply.ok) throw new StackError(`The webhook answered ${reply.status}.`);
  await api.untilDone(workflowId);
  const document = await collection.findOne({ workflowId });
  if (document === null) throw new StackError('The execution was not stored.');
  return document;
};

interface State {
  /** Of a thousand executions, how many have it. */
  readonly perMille: number;
  readonly fields: (id: string) => Document;
}

const ENDS: readonly string[] = ['finishedAt', 'expireAt', 'deadlineAt'];

/** Unfinished ones have no lease, deadline or time to wake, so no background work touches them. */
const STATES: readonly State[] = [
  { perMille: 20, fields: () => ({ state: 'running', status: 'running' }) },
  {
    perMille: 20,
    fields: (id) => ({ state: 'waiting', status: 'waiting', tokenHash: id, wait: { tokenHash: id } }),
  },
  {
    perMille: 80,
    fields: () => ({
      state: 'error',
      status: 'error',
      error: { reason: 'NODE_ERROR', message: 'The service answered 500.', node: 'Set', errorJson: '{}' },
    }),
  },
  { perMille: 880, fields: () => ({ state: 'success', status: 'success' }) },
];

const chooseState = (): State | undefined => {
  const draw = Math.random() * 1_000;
  let sum = 0;
  return STATES.find(({ perMille }) => {
    sum += perMille;
    return draw < sum;
  });
};

const documentOf = (model: Document, id: string, workflowId: string): Document => {
  const fields = chooseState()?.fields(id) ?? {};
  const hasEnded = fields['state'] === 'success' || fields['state'] === 'error';
  const kept = hasEnded ? model : Object.fromEntries(Object.entries(model).filter(([name]) => !ENDS.includes(name)));
  return { ...kept, ...fields, _id: id, workflowId };
};

/** The executions are of 100 workflows: half of them of one, a tenth of another. */
const chooseWorkflow = (workflowIds: readonly string[]): string => {
  const draw = Math.random();
  const index = draw < 0.5 ? 0 : draw < 0.6 ? 1 : 2 + Math.floor(Math.random() * (workflowIds.length - 2));
  return workflowIds[index] ?? '';
};

/** Stores generated executions modelled on an existing one. */
export const fillStore = async (
  stack: Pick<Stack, 'mongodbUri' | 'namespace'>,
  api: Api,
  count: number,
  progress: (stored: number) => void,
): Promise<Filled> => {
  const connection = await mongoose
    .createConnection(stack.mongodbUri, { dbName: `${stack.namespace}_executions` })
    .asPromise();
  try {
    const collection = connection.collection('executions');
    const model = await runModel(api, collection);
    const workflowIds = Array.from({ length: 100 }, () => idAt(Date.now()));
    const now = Date.now();
    const ids = Array.from({ length: count }, (_, index) => idAt(now - (count - index) * APART_MS));
    let next = 0;
    const write = async (): Promise<void> => {
      while (next < count) {
        const batch = ids.slice(next, next + BATCH);
        next += batch.length;
        await collection.insertMany(
          batch.map((id) => documentOf(model, id, chooseWorkflow(workflowIds))),
          { ordered: false },
        );
        progress(next);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
    return { ids, commonWorkflowId: workflowIds[0] ?? '', tenthWorkflowId: workflowIds[1] ?? '' };
  } finally {
    await connection.close();
  }
};
