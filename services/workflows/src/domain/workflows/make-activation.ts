import { checkDefinition, isTrigger, kindsIn, reachableFromTriggers, routesOf } from '@weft/nodes/descriptors';
import {
  isPollingKind,
  kindOf,
  schedulePolicyOf,
  schedulesOf,
  type DefinitionError,
  type Schedule,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import { uuidv7 } from '@weft/service-kit/ids';
import { isDeepStrictEqual } from 'node:util';
import { toFieldErrors, WorkflowNotRunnable } from '../errors';
import { hookRoutesOf } from '../hooks/hook-routes';
import { nextDue } from '../schedule/next-due';
import { readCompleted } from '../definitions/type-version-defaults';
import type { Activation, DefinitionJson, ScheduleEntry, Version } from './workflow';

/** Maximum webhook addresses of one workflow. */
export const MAX_ROUTES = 500;
/** Maximum schedules of one workflow. */
export const MAX_SCHEDULES = 200;

const boundErrors = (count: number, max: number, noun: string): DefinitionError[] =>
  count <= max
    ? []
    : [{ field: 'nodes', message: `A workflow can have at most ${max} ${noun}; this one has ${count}.` }];

/** True if the definition has an enabled trigger of a known kind. */
export const hasTrigger = (definition: Pick<WorkflowDefinition, 'nodes' | 'apps'>): boolean => {
  const kinds = kindsIn(definition);
  return definition.nodes.some((node) => node.disabled !== true && isTrigger(node, kinds));
};

/** Errors that prevent the activation of a definition. */
export const activationErrors = (definition: WorkflowDefinition): DefinitionError[] => {
  const errors = checkDefinition(definition, reachableFromTriggers(definition));
  if (errors.length > 0) return errors;
  if (!hasTrigger(definition)) {
    // An unknown trigger kind explains more than the lack of a trigger.
    const all = checkDefinition(definition);
    return all.length > 0
      ? all
      : [
          {
            field: 'nodes',
            message:
              'The workflow has no enabled trigger, so nothing could start it. Add one, for example a webhook or a ' +
              'schedule.',
          },
        ];
  }
  return [
    ...boundErrors(routesOf(definition, '').length, MAX_ROUTES, 'webhook addresses'),
    ...boundErrors(schedulesOf(definition).length, MAX_SCHEDULES, 'schedules'),
  ];
};

export interface ActivationContext {
  readonly now: Date;
  /** Time zone of schedules whose workflow sets none. */
  readonly defaultTimezone: string;
  /** The activation that this one replaces: unchanged schedules keep their due times. */
  readonly previous?: Activation | undefined;
  /** True if the workflow is being created: errors must not mention an id that is not stored. */
  readonly isNew?: boolean;
  /** The workflow, whose id makes `H` in cron expressions differ between workflows. */
  readonly workflowId?: string;
}

const REPLACES_ACTIVE = 'Nothing was stored, because the workflow is active: deactivate it to store this definition.';

const isSame = (entry: ScheduleEntry, schedule: Schedule): boolean =>
  entry.node === schedule.node &&
  entry.index === schedule.index &&
  entry.timezone === schedule.timezone &&
  isDeepStrictEqual(entry.rule, schedule.rule);

/** The due time of an unchanged schedule that is waiting for a retry. */
const retriedDue = (unchanged: ScheduleEntry | undefined): Date | undefined =>
  unchanged?.trouble?.retryAt === undefined ? undefined : unchanged.nextAt;

/**
 * A poll finds everything new since the last one, so one poll makes up for all missed ones, and a poll overtaken by
 * another finds nothing.
 */
const startPolicyOf = (
  definition: WorkflowDefinition,
  kind: string | undefined,
): Pick<ScheduleEntry, 'item' | 'missed' | 'overlap'> =>
  isPollingKind(kind)
    ? { item: 'poll', missed: 'coalesce', overlap: 'allow' }
    : { item: kind === 'scheduleTrigger' ? 'clock' : 'empty', ...schedulePolicyOf(definition) };

const scheduleEntry = (
  definition: WorkflowDefinition,
  schedule: Schedule,
  { now, defaultTimezone, previous }: ActivationContext,
): ScheduleEntry => {
  const unchanged = previous?.schedules.find((entry) => isSame(entry, schedule));
  const zone = schedule.timezone ?? defaultTimezone;
  // A failing schedule may have skipped due times; the new version may fix the cause.
  const trigger = definition.nodes.find((node) => node.name === schedule.node);
  const start = startPolicyOf(definition, kindOf(trigger?.type ?? ''));
  const nextAt =
    unchanged === undefined && start.item === 'poll'
      ? now // The first poll records what exists, so that later items count as new.
      : unchanged === undefined || unchanged.trouble !== undefined
        ? (retriedDue(unchanged) ?? nextDue(schedule.rule, zone, now, unchanged?.lastDue))
        : unchanged.nextAt;
  return {
    ...schedule,
    ...start,
    ...(nextAt === undefined ? {} : { nextAt }),
    ...(unchanged?.lastDue === undefined ? {} : { lastDue: unchanged.lastDue }),
  };
};

/** The schedules of a definition at their next due times; invalid ones are left out. */
export const scheduleEntries = (definition: WorkflowDefinition, context: ActivationContext): ScheduleEntry[] =>
  schedulesOf(definition, context.workflowId)
    .slice(0, MAX_SCHEDULES)
    .map((schedule) => scheduleEntry(definition, schedule, context));

/**
 * Creates the activation of a version.
 * @param value the version's definition, parsed
 * @throws WorkflowNotRunnable with a field for each error
 */
export const makeActivation = (version: Version, value: DefinitionJson, context: ActivationContext): Activation => {
  const definition = readCompleted(value, version);
  const errors = activationErrors(definition);
  if (errors.length > 0)
    throw new WorkflowNotRunnable(
      context.isNew === true ? '' : version.workflowId,
      toFieldErrors(definition, errors),
      context.previous === undefined ? '' : REPLACES_ACTIVE,
    );
  return {
    id: uuidv7(),
    versionId: version.id,
    routes: [
      ...routesOf(definition, version.workflowId).map(({ key, method, path, node }) => ({ key, method, path, node })),
      ...hookRoutesOf(definition, version.workflowId),
    ],
    schedules: scheduleEntries(definition, { ...context, workflowId: version.workflowId }),
  };
};
