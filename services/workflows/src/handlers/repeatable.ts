import {
  CreateDataTableRequest,
  CreateDataTableResponse,
  type DataTableServiceService,
  DeleteRowsRequest,
  DeleteRowsResponse,
  InsertRowsRequest,
  InsertRowsResponse,
  UpdateRowsRequest,
  UpdateRowsResponse,
  UpsertRowRequest,
  UpsertRowResponse,
} from '@weft/proto/data-tables';
import { type ScheduleServiceService, StartBackfillRequest, StartBackfillResponse } from '@weft/proto/schedules';
import { CreateVariableRequest, CreateVariableResponse, type VariableServiceService } from '@weft/proto/variables';
import { CreateWorkflowRequest, CreateWorkflowResponse, type WorkflowServiceService } from '@weft/proto/workflows';
import { ServiceError } from '@weft/service-kit/errors';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import { type Codec, ifFound, repeatable, repeatableCreation, type RepeatDeps } from '@weft/service-kit/idempotency';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../compose';
import { toBackfillMessage } from './schedules';
import { summarized } from './workflows';

type CreateWorkflow = Handlers<typeof WorkflowServiceService>['createWorkflow'];

/** CreateWorkflow, repeatable. A repeated call gets the definition that the first one stored. */
export const repeatableCreateWorkflow = (
  deps: RepeatDeps,
  useCases: Within,
  createWorkflow: CreateWorkflow,
): CreateWorkflow => {
  const withDefinition = async (
    { workflow, warnings }: CreateWorkflowResponse,
    { summary }: CreateWorkflowRequest,
    context: CallContext,
  ): Promise<CreateWorkflowResponse> => {
    if (workflow === undefined || summary === true) return { workflow, warnings };
    const scoped = await scopedTo(useCases, context);
    const version = await ifFound(() => scoped.getWorkflowVersion(workflow.id, workflow.versionId));
    return { workflow: { ...workflow, definition: version?.definition ?? Buffer.alloc(0) }, warnings };
  };
  return repeatable(deps, {
    method: 'CreateWorkflow',
    keyOf: ({ idempotencyKey }) => idempotencyKey,
    bytesOf: (request) =>
      CreateWorkflowRequest.encode({ ...request, idempotencyKey: undefined, summary: undefined }).finish(),
    create: createWorkflow,
    repeat: {
      kind: 'stored',
      // The definition is in the version.
      encode: (message) => CreateWorkflowResponse.encode(summarized(true, message)).finish(),
      decode: (bytes, request, context) => withDefinition(CreateWorkflowResponse.decode(bytes), request, context),
      find: async (workflowId, context) => {
        const scoped = await scopedTo(useCases, context);
        const [found] = await scoped.getWorkflows([{ workflowId, knownEtags: [] }]);
        if (found instanceof ServiceError && found.kind !== 'not-found') throw found;
        return found === undefined || found instanceof ServiceError
          ? undefined
          : { workflow: found.workflow, warnings: [] };
      },
    },
  });
};

type VariableHandlers = Handlers<typeof VariableServiceService>;

/** CreateVariable, repeatable. */
export const repeatableVariables = (deps: RepeatDeps, handlers: VariableHandlers): VariableHandlers => ({
  ...handlers,
  createVariable: repeatableCreation(
    deps,
    'CreateVariable',
    [CreateVariableRequest, CreateVariableResponse],
    handlers.createVariable,
    (variableId, context) => ifFound(() => handlers.getVariable({ variableId }, context)),
  ),
});

type ScheduleHandlers = Handlers<typeof ScheduleServiceService>;

/** StartBackfill, repeatable, except for dry runs. */
export const repeatableSchedules = (
  deps: RepeatDeps,
  useCases: Within,
  handlers: ScheduleHandlers,
): ScheduleHandlers => {
  const startBackfill = repeatableCreation(
    deps,
    'StartBackfill',
    [StartBackfillRequest, StartBackfillResponse],
    handlers.startBackfill,
    async (id, context) => {
      const backfill = await (await scopedTo(useCases, context)).findBackfill(id);
      return backfill === undefined ? undefined : { backfill: toBackfillMessage(backfill) };
    },
  );
  return {
    ...handlers,
    startBackfill: (request, context) =>
      request.dryRun ? handlers.startBackfill(request, context) : startBackfill(request, context),
  };
};

type TableHandlers = Handlers<typeof DataTableServiceService>;

interface RowWrite {
  readonly operationId: string;
  readonly claim?: object | undefined;
}

/** A write of rows by a user, whose `operation_id` is an idempotency key. Runs have keys of their operations. */
const rowWrite = <Request extends RowWrite, Response>(
  deps: RepeatDeps,
  method: string,
  [request, response]: readonly [Pick<Codec<Request>, 'encode'>, Codec<Response>],
  create: (request: Request, context: CallContext) => Promise<Response>,
) =>
  repeatable(deps, {
    method,
    keyOf: ({ operationId, claim }: Request) => (claim === undefined ? operationId : undefined),
    bytesOf: (message: Request) => request.encode({ ...message, operationId: '' }).finish(),
    create: (message: Request, context) =>
      create({ ...message, operationId: context.createdId ?? message.operationId }, context),
    repeat: {
      kind: 'again',
      encode: (message: Response) => response.encode(message).finish(),
      decode: (bytes) => response.decode(bytes),
    },
  });

/** CreateDataTable and the writes of rows, repeatable for users. */
export const repeatableDataTables = (deps: RepeatDeps, handlers: TableHandlers): TableHandlers => ({
  ...handlers,
  createDataTable: repeatableCreation(
    deps,
    'CreateDataTable',
    [CreateDataTableRequest, CreateDataTableResponse],
    handlers.createDataTable,
    (id, context) => ifFound(() => handlers.getDataTable({ dataTableId: id, name: '', claim: undefined }, context)),
  ),
  insertRows: rowWrite(deps, 'InsertRows', [InsertRowsRequest, InsertRowsResponse], handlers.insertRows),
  updateRows: rowWrite(deps, 'UpdateRows', [UpdateRowsRequest, UpdateRowsResponse], handlers.updateRows),
  upsertRow: rowWrite(deps, 'UpsertRow', [UpsertRowRequest, UpsertRowResponse], handlers.upsertRow),
  deleteRows: rowWrite(deps, 'DeleteRows', [DeleteRowsRequest, DeleteRowsResponse], handlers.deleteRows),
});
