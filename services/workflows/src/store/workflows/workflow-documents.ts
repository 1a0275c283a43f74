import type {
  Activation,
  RouteEntry,
  ScheduleEntry,
  ScheduleTrouble,
  Workflow,
  WorkflowSummary,
} from '../../domain/workflows/workflow';
import { firstCheckAt } from '../../domain/schedule/due-times';
import type { ScheduleDocument, WorkflowDocument } from './workflow-schema';

type ActivationDocument = NonNullable<WorkflowDocument['activation']>;

/** Converts a stored route. */
export const toRoute = ({ key, method, path, node }: ActivationDocument['routes'][number]): RouteEntry => ({
  key,
  method,
  path,
  node,
});

const toTrouble = ({
  reason,
  message,
  count,
  since,
  retryAt,
}: NonNullable<ScheduleDocument['trouble']>): ScheduleTrouble => ({
  reason,
  message,
  count,
  since,
  ...(retryAt === undefined ? {} : { retryAt }),
});

/** Converts a stored schedule. */
export const toSchedule = ({
  node,
  index,
  rule,
  timezone,
  item,
  missed = 'coalesce',
  overlap = 'allow',
  nextAt,
  lastDue,
  trouble,
}: ScheduleDocument): ScheduleEntry => ({
  node,
  index,
  rule,
  item,
  missed,
  overlap,
  ...(timezone === undefined ? {} : { timezone }),
  ...(nextAt === undefined ? {} : { nextAt }),
  ...(lastDue === undefined ? {} : { lastDue }),
  ...(trouble === undefined ? {} : { trouble: toTrouble(trouble) }),
});

/** Schedules in their stored form, with the time of their next check. */
export const schedulesOf = (schedules: readonly ScheduleEntry[]): Pick<ActivationDocument, 'schedules' | 'checkAt'> => {
  const checkAt = firstCheckAt(schedules);
  return { schedules: schedules.map((schedule) => ({ ...schedule })), ...(checkAt === undefined ? {} : { checkAt }) };
};

const toActivation = ({ id, versionId, routes, schedules }: ActivationDocument): Activation => ({
  id,
  versionId,
  routes: routes.map(toRoute),
  schedules: schedules.map(toSchedule),
});

const toolOf = ({ mcpTool, versionId }: WorkflowDocument): Pick<WorkflowSummary, 'mcpTool'> => {
  if (mcpTool?.versionId !== versionId) return {};
  const { node, trigger, description, inputSchema } = mcpTool;
  return { mcpTool: { node, trigger, description, inputSchema } };
};

const outlineOf = ({ outline, versionId }: WorkflowDocument): Pick<WorkflowSummary, 'outline'> =>
  outline?.versionId === versionId ? { outline: { nodeCount: outline.nodeCount, triggers: outline.triggers } } : {};

/** Converts a document to its summary in lists. */
export const toSummary = (document: WorkflowDocument): WorkflowSummary => ({
  id: document._id,
  name: document.name,
  ownerId: document.ownerId,
  active: document.active,
  versionId: document.versionId,
  definitionBytes: document.definitionBytes,
  ...(document.hash?.versionId === document.versionId ? { definitionHash: document.hash.value } : {}),
  ...(document.key === undefined ? {} : { key: document.key }),
  ...(document.managed === undefined ? {} : { managed: document.managed }),
  ...toolOf(document),
  ...outlineOf(document),
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
});

/** Converts a document to a workflow. */
export const toWorkflow = (document: WorkflowDocument): Workflow => ({
  ...toSummary(document),
  ...(document.activation === undefined ? {} : { activation: toActivation(document.activation) }),
  ...(document.routesRelease === undefined ? {} : { routesRelease: document.routesRelease }),
  ...(document.deletedAt === undefined ? {} : { deletedAt: document.deletedAt }),
});

/** The document of a workflow. */
export const toDocument = ({
  id,
  activation,
  deletedAt,
  definitionHash,
  managed,
  mcpTool,
  outline,
  ...rest
}: Workflow): WorkflowDocument => ({
  _id: id,
  ...rest,
  ...(definitionHash === undefined ? {} : { hash: { versionId: rest.versionId, value: definitionHash } }),
  ...(managed === undefined ? {} : { managed: { ...managed } }),
  ...(mcpTool === undefined ? {} : { mcpTool: { ...mcpTool, versionId: rest.versionId }, isMcpTool: true }),
  ...(outline === undefined
    ? {}
    : { outline: { versionId: rest.versionId, nodeCount: outline.nodeCount, triggers: [...outline.triggers] } }),
  isDeleted: deletedAt !== undefined,
  ...(deletedAt === undefined ? {} : { deletedAt }),
  ...(activation === undefined
    ? {}
    : {
        activation: {
          id: activation.id,
          versionId: activation.versionId,
          routes: activation.routes.map((route) => ({ ...route })),
          ...schedulesOf(activation.schedules),
        },
      }),
});
