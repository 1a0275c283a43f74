import type { ExecutionServiceService } from '@weft/proto/executions';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import { isUuid } from '@weft/service-kit/ids';
import { turnsOf } from '@weft/service-kit/json';
import { requireVisible, scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../../compose';
import { findNodeRun, readItemPage, readItems, readWithoutItems } from '../../domain/data/read-items';
import type { RunDataPorts, StoredRun } from '../../domain/data/run-records';
import { ExecutionNotFound, NodeRunNotFound } from '../../domain/state/errors';
import type { ExecutionRecord } from '../../domain/state/execution';
import { piecesOf } from './pieces';

type ReadHandlers = Pick<Handlers<typeof ExecutionServiceService>, 'getNodeRun' | 'readItems'>;

/** Bytes up to which parts are sent together. */
const MESSAGE_BYTES = 64 * 1024;

/** Reads of single node runs over gRPC. */
export const nodeRunReadHandlers = (useCases: Within, ports: RunDataPorts): ReadHandlers => {
  const find = async (
    executionId: string,
    executionIndex: number,
    context: CallContext,
  ): Promise<{ readonly record: ExecutionRecord; readonly run: StoredRun }> => {
    const { read } = (await scopedTo(useCases, context)).reads;
    const record = isUuid(executionId) ? await read(executionId) : undefined;
    if (record === undefined) throw new ExecutionNotFound(executionId);
    const run = await findNodeRun(record, ports, executionIndex);
    if (run === undefined) throw new NodeRunNotFound(executionId, executionIndex);
    return { record, run };
  };
  const turnsOfCaller = ({ principal }: CallContext, { ownerId, workflowId }: ExecutionRecord) =>
    turnsOf({ ownerId: principal?.userId ?? ownerId, workflowId });
  return {
    getNodeRun: async ({ executionId, executionIndex }, context) => {
      const { record, run: found } = await find(executionId, executionIndex, context);
      const { json, counts } = await readWithoutItems(found, turnsOfCaller(context, record));
      const { node, run, failed, bytes } = found;
      return { node, run, executionIndex, failed, bytes, outputItems: [...counts], recordJson: Buffer.from(json) };
    },
    readItems: async function* (request, context) {
      const page = readItemPage(request);
      const { record, run } = await find(request.executionId, request.executionIndex, context);
      const parts = readItems(run, page, turnsOfCaller(context, record));
      let held: Buffer[] = [];
      let bytes = 0;
      for (;;) {
        const part = await parts.next();
        if (part.done === true) {
          yield { jsonPart: Buffer.concat(held), total: part.value };
          return;
        }
        held.push(part.value);
        bytes += part.value.length;
        if (bytes < MESSAGE_BYTES) continue;
        requireVisible(await useCases.scopes.ofUser(context.principal), record.ownerId, { executionId: record._id });
        for (const jsonPart of piecesOf(Buffer.concat(held))) yield { jsonPart };
        held = [];
        bytes = 0;
      }
    },
  };
};
