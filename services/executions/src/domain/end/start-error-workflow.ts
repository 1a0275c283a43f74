import { withoutTrailing } from '@weft/service-kit/text';
import { checkCall } from '../start/call-policy';
import type { EndedExecution } from '../state/execution';
import { newExecution } from '../start/new-execution';
import { storeInput } from '../start/start-execution';
import type { StartPorts } from '../start/start-execution';
import { VersionNotFound } from '../state/errors';
import type { KnownVersion } from '../state/version-cache';
import { nodesIn, type WorkflowVersion } from '../state/workflow-version';
import { isJsonObject } from '@weft/service-kit/json';
import { uuidv7 } from '@weft/service-kit/ids';
import type { VisibilityScopes } from '@weft/service-kit/visibility';

/**
 * Starts the error workflow of a failed execution. Repeating it starts nothing more.
 * @throws the refusal of the workflows service, QueueFull, Unavailable
 */
export type StartErrorWorkflow = (workflowId: string, failed: EndedExecution) => Promise<void>;

interface Ports extends Pick<
  StartPorts,
  'prepareStart' | 'getVersion' | 'insert' | 'chunks' | 'publish' | 'clock' | 'budget' | 'planNotifications'
> {
  readonly scopeOfRun: VisibilityScopes['ofRun'];
  /** URL at which clients reach the gateway. */
  readonly publicUrl: string;
}

type Fields = Readonly<Record<string, unknown>>;

const parse = (json: string): Fields => {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : {};
  } catch {
    // Only the message is known.
    return {};
  }
};

/** The definition of the failed node; if there is none, the data in the error. */
const failedNode = (error: Fields, version: WorkflowVersion | undefined): { readonly node?: unknown } => {
  const named = error['node'];
  if (version === undefined || !isJsonObject(named)) return {};
  return { node: nodesIn(version).find((node) => node['name'] === named['name']) ?? named };
};

/**
 * The error as an error trigger outputs it. Stack traces would contain file names of this service: `stack` is the first
 * line.
 */
const errorOf = ({ error }: EndedExecution, version: WorkflowVersion | undefined, timestamp: number): Fields => {
  const details = parse(error?.errorJson ?? '');
  const message = error?.message ?? '';
  const name = typeof details['name'] === 'string' ? details['name'] : 'Error';
  return {
    level: 'error',
    timestamp,
    stack: `${name}: ${message}`,
    message,
    ...details,
    ...failedNode(details, version),
    reason: error?.reason ?? '',
  };
};

/** The one item that an error trigger outputs. */
const errorItem = (
  failed: EndedExecution,
  own: KnownVersion | undefined,
  publicUrl: string,
  timestamp: number,
): object => ({
  json: {
    execution: {
      id: failed._id,
      url: `${withoutTrailing(publicUrl, '/')}/api/v1/executions/${failed._id}`,
      error: errorOf(failed, own?.version, timestamp),
      ...(failed.retry === undefined ? {} : { retryOf: failed.retry.of }),
      lastNodeExecuted: failed.lastNode ?? '',
      mode: failed.mode,
    },
    workflow: { id: failed.workflowId, name: own?.facts.name ?? '' },
  },
});

/** Starts error workflows, with a dedupe key of the failed execution. */
export const createStartErrorWorkflow =
  (ports: Ports): StartErrorWorkflow =>
  async (workflowId, failed) => {
    const { versionId, ownerId, startNode } = await ports.prepareStart({ workflowId, startNode: '', purpose: 'error' });
    const [called, own] = await Promise.all([ports.getVersion(versionId), ports.getVersion(failed.versionId)]);
    if (called === undefined) throw new VersionNotFound(versionId);
    await checkCall({ ...called, ownerId }, failed, ports.scopeOfRun);
    const id = uuidv7();
    const item = Buffer.from(JSON.stringify([errorItem(failed, own, ports.publicUrl, ports.clock())]));
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
      notifies: ports.planNotifications({ ownerId, workflowId }),
      idempotencyKey: `err:${failed._id}`,
    };
    const outcome = await ports.insert(newExecution(options, ports.clock())).finally(room.settle);
    if (outcome.kind === 'inserted') ports.publish(id, '0', { ownerId });
  };
