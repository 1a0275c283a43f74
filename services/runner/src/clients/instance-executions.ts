import { type Execution, ExecutionServiceService, ExecutionStatus } from '@weft/proto/executions';
import type { Calls } from '@weft/service-kit/grpc';
import { parseJson } from '@weft/service-kit/json';
import { LIMITS } from '@weft/service-kit/limits';
import type { Json, JsonObject } from '@weft/node-catalogue';
import type { InstanceCall } from '@weft/engine';
import { type Act, deleted, limitOf, listOf, unsupported } from './instance-call';
import { STATUSES } from '@weft/proto/execution-words';
import { executionJson, present } from './instance-json';

/** Calls about executions. */
export const executionCalls = (calls: Calls<typeof ExecutionServiceService>, act: Act) => {
  const get = async (executionId: string): Promise<Execution> =>
    present(
      (await act(ExecutionServiceService.getExecution, (options) => calls.getExecution({ executionId }, options)))
        .execution,
    );
  const dataOf = (executionId: string): Promise<Json> =>
    act(ExecutionServiceService.readExecutionData, async (options) => {
      const parts: Buffer[] = [];
      let size = 0;
      for await (const { jsonPart } of calls.readExecutionData({ executionId }, options)) {
        size += jsonPart.length;
        if (size > LIMITS.nodeOutput.max)
          throw unsupported(
            `The data of execution ${executionId} exceeds the output limit of one node run (${LIMITS.nodeOutput.name})`,
            'Read them over the REST API.',
          );
        parts.push(jsonPart);
      }
      return size === 0 ? {} : parseJson(Buffer.concat(parts));
    });
  const whole = async (execution: Execution, includeData: boolean): Promise<JsonObject> => ({
    ...executionJson(execution),
    ...(includeData ? { data: await dataOf(execution.id) } : {}),
  });
  const statusOf = (word: string | undefined): ExecutionStatus => {
    if (word === undefined) return ExecutionStatus.EXECUTION_STATUS_UNSPECIFIED;
    const status = STATUSES.get(word);
    if (status === undefined)
      throw unsupported(`The status "${word.slice(0, 50)}" is not known`, `Known: ${[...STATUSES.keys()].join(', ')}.`);
    return status;
  };
  return {
    list: async (request: InstanceCall & { readonly call: 'listExecutions' }): Promise<JsonObject> => {
      const { page, workflowId = '', status, includeData } = request;
      const query = { limit: limitOf(page), cursor: page.cursor ?? '', workflowId, status: statusOf(status) };
      const { executions, nextCursor } = await act(ExecutionServiceService.listExecutions, (options) =>
        calls.listExecutions(query, options),
      );
      const entries: JsonObject[] = [];
      let room = LIMITS.nodeOutput.max;
      for (const execution of executions) {
        const entry = await whole(execution, includeData);
        if (includeData) room -= JSON.stringify(entry).length;
        if (room < 0)
          throw unsupported(
            `The data of these executions exceeds the output limit of one node run (${LIMITS.nodeOutput.name})`,
            'List fewer at once, or without their data.',
          );
        entries.push(entry);
      }
      return listOf(entries, nextCursor);
    },
    get: async (executionId: string, includeData: boolean) => whole(await get(executionId), includeData),
    remove: async (executionId: string): Promise<JsonObject> => {
      const before = await get(executionId);
      await act(ExecutionServiceService.deleteExecution, (options, triesBefore) =>
        deleted(() => calls.deleteExecution({ executionId }, options), triesBefore, 'EXECUTION_NOT_FOUND'),
      );
      return executionJson(before);
    },
  };
};
