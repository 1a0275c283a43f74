import { ProjectServiceService } from '@weft/proto/projects';
import { StartPurpose, WorkflowServiceService } from '@weft/proto/workflows';
import { ServiceError } from '@weft/service-kit/errors';
import { toRpcStatus } from '@weft/service-kit/grpc';
import type { Handler, SimulatedService } from '../network/endpoints';
import { listOf, memberOf } from '../store/values';

/** A workflow of the simulation. */
export interface SimulatedWorkflow {
  readonly name: string;
  readonly workflowId: string;
  readonly versionId: string;
  readonly ownerId: string;
  readonly definition: {
    readonly nodes: readonly { readonly name: string; readonly type: string }[];
  };
}

const service = (
  definition: SimulatedService['definition'],
  handlers: Readonly<Record<string, Handler>>,
): SimulatedService => ({ definition, handlers });

const triggerOf = ({ definition }: SimulatedWorkflow, purpose: unknown): string => {
  const kind =
    purpose === StartPurpose.START_PURPOSE_ERROR
      ? 'errorTrigger'
      : purpose === StartPurpose.START_PURPOSE_CALL
        ? 'executeWorkflowTrigger'
        : '';
  return (kind === '' ? undefined : definition.nodes.find(({ type }) => type.endsWith(`.${kind}`))?.name) ?? 'Start';
};

/** The workflows service, as far as executions calls it. */
export const workflowsService = (known: readonly SimulatedWorkflow[]): SimulatedService =>
  service(WorkflowServiceService, {
    prepareStarts: async (request) => ({
      results: listOf(memberOf(request, 'starts')).map((start) => {
        const workflowId = memberOf(start, 'workflowId');
        const found = known.find((one) => one.workflowId === workflowId);
        if (found === undefined) {
          const refusal = { reason: 'WORKFLOW_NOT_FOUND', kind: 'not-found', message: 'Not found.' } as const;
          return { result: { $case: 'error', value: toRpcStatus(new ServiceError(refusal)) } };
        }
        const { versionId, ownerId } = found;
        const startNode = String(memberOf(start, 'startNode'));
        const prepared = {
          versionId,
          ownerId,
          startNode: startNode === '' ? triggerOf(found, memberOf(start, 'purpose')) : startNode,
        };
        return { result: { $case: 'prepared', value: prepared } };
      }),
    }),
    getVersions: async (request) => {
      const ids = listOf(memberOf(request, 'versionIds'));
      return {
        versions: known
          .filter(({ versionId }) => ids.includes(versionId))
          .map(({ versionId, workflowId, ownerId, definition }) => ({
            versionId,
            workflowId,
            ownerId,
            definition: Buffer.from(JSON.stringify(definition)),
          })),
      };
    },
  });

/** The credentials service, as far as executions calls it. */
export const credentialsService = (): SimulatedService =>
  service(ProjectServiceService, {
    listClosedProjects: async () => ({ version: 'none', projectIds: [], unchanged: false }),
  });
