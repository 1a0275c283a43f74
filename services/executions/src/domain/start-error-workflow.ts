import { checkCall } from './call-policy';
import type { EndedExecution } from './execution';
import { newExecution } from './new-execution';
import { storeInput } from './start-execution';
import type { StartPorts } from './start-execution';
import { VersionNotFound } from './errors';
import { uuidv7 } from '@weft/service-kit/ids';

/**
 * Starts the error workflow of an execution that failed. Repeating it starts nothing more.
 * @throws the refusal of the workflows service, QueueFull, Unavailable
 */
export type StartErrorWorkflow = (workflowId: string, failed: EndedExecution) => Promise<void>;

interface Ports extends Pick<
  StartPorts,
  'prepareStart' | 'getVersion' | 'insert' | 'chunks' | 'publish' | 'clock' | 'budget'
> {
  /** URL at which clients reach the gateway. */
  readonly publicUrl: string;
}

const parse = (json: string): object => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // Nothing more is known than the message.
    return {};
  }
};

/** The one item that an error trigger gives out. */
const errorItem = (failed: EndedExecution, workflowName: string, publicUrl: string): object => ({
  json: {
    execution: {
      id: failed._id,
      url: `${publicUrl.replace(/\/+$/, '')}/api/v1/executions/${failed._id}`,
      error: {
        message: failed.error?.message ?? '',
        ...parse(failed.error?.errorJson ?? ''),
        reason: failed.error?.reason ?? '',
      },
      ...(failed.retry === undefined ? {} : { retryOf: failed.retry.of }),
      lastNodeExecuted: failed.lastNode ?? '',
      mode: failed.mode,
    },
    workflow: { id: failed.workflowId, name: workflowName },
  },
});

/** Starts error workflows, by a dedupe key of the execution that failed. */
export const createStartErrorWorkflow =
  (ports: Ports): StartErrorWorkflow =>
  async (workflowId, failed) => {
    const { versionId, ownerId, startNode } = await ports.prepareStart({ workflowId, startNode: '', purpose: 'error' });
    const [called, own] = await Promise.all([ports.getVersion(versionId), ports.getVersion(failed.versionId)]);
    if (called === undefined) throw new VersionNotFound(versionId);
    checkCall(called, failed);
    const id = uuidv7();
    const item = Buffer.from(JSON.stringify([errorItem(failed, own?.facts.name ?? '', ports.publicUrl)]));
    const room = await ports.budget.take({ ownerId, workflowId, mode: 'error', bytes: item.length });
    const input = await storeInput(ports.chunks, id, item);
    const options = {
      id,
      workflowId,
      versionId,
      ownerId,
      startNode,
      mode: 'error' as const,
      facts: called.facts,
      usePinData: false,
      input,
      idempotencyKey: `err:${failed._id}`,
    };
    const outcome = await ports.insert(newExecution(options, ports.clock())).finally(room.settle);
    if (outcome.kind === 'inserted') ports.publish(id, '0', { ownerId });
  };
