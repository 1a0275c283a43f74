import { checkDefinition, isTrigger, reachableFromTriggers, routesOf } from '@weft/nodes/descriptors';
import {
  kindOf,
  readDefinition,
  schedulePolicyOf,
  schedulesOf,
  type DefinitionError,
  type Schedule,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import { uuidv7 } from '@weft/service-kit/ids';
import { isDeepStrictEqual } from 'node:util';
import { WorkflowNotRunnable } from './errors';
import { toFieldErrors } from './field-errors';
import { nextDue } from './schedule/next-due';
import { completeDefinition } from './type-version-defaults';
import type { Activation, DefinitionJson, ScheduleEntry, Version } from './workflow';

/** Most addresses of one workflow. */
export const MAX_ROUTES = 500;
/** Most schedules of one workflow. */
export const MAX_SCHEDULES = 200;

const boundErrors = (count: number, max: number, what: string): DefinitionError[] =>
  count <= max
    ? []
    : [{ field: 'nodes', message: `A workflow can have ${max} ${what} at most; this one has ${count}.` }];

/** Faults that keep a definition from being activated. */
const activationErrors = (definition: WorkflowDefinition): DefinitionError[] => {
  const faults = checkDefinition(definition, reachableFromTriggers(definition));
  if (faults.length > 0) return faults;
  if (!definition.nodes.some((node) => node.disabled !== true && isTrigger(node))) {
    // It may have one of a kind that is not known: that says more than that there is none.
    const all = checkDefinition(definition);
    return all.length > 0
      ? all
      : [
          {
            field: 'nodes',
            message:
              'The workflow has no trigger that is enabled, so nothing could ever start it. Add one, for ' +
              'example a webhook or a schedule.',
          },
        ];
  }
  return [
    ...boundErrors(routesOf(definition, '').length, MAX_ROUTES, 'webhook addresses'),
    ...boundErrors(schedulesOf(definition).length, MAX_SCHEDULES, 'schedules'),
  ];
};

/** What an activation starts from. */
export interface ActivationContext {
  readonly now: Date;
  /** Zone of schedules whose workflow states none. */
  readonly defaultTimezone: string;
  /** The activation that this one takes the place of: schedules that stay the same keep their due times. */
  readonly previous?: Activation | undefined;
}

const isSame = (entry: ScheduleEntry, schedule: Schedule): boolean =>
  entry.node === schedule.node &&
  entry.index === schedule.index &&
  entry.timezone === schedule.timezone &&
  isDeepStrictEqual(entry.rule, schedule.rule);

/** A due time that waits to be tried again. */
const dueNow = (kept: ScheduleEntry | undefined): Date | undefined =>
  kept?.trouble?.retryAt === undefined ? undefined : kept.nextAt;

const scheduleEntry = (
  definition: WorkflowDefinition,
  schedule: Schedule,
  { now, defaultTimezone, previous }: ActivationContext,
): ScheduleEntry => {
  const kept = previous?.schedules.find((entry) => isSame(entry, schedule));
  const zone = schedule.timezone ?? defaultTimezone;
  // A schedule in trouble may have passed due times over; what is new may be what was missing.
  const nextAt =
    kept === undefined || kept.trouble !== undefined
      ? (dueNow(kept) ?? nextDue(schedule.rule, zone, now, kept?.lastDue))
      : kept.nextAt;
  const trigger = definition.nodes.find((node) => node.name === schedule.node);
  return {
    ...schedule,
    item: kindOf(trigger?.type ?? '') === 'scheduleTrigger' ? 'clock' : 'empty',
    ...schedulePolicyOf(definition),
    ...(nextAt === undefined ? {} : { nextAt }),
    ...(kept?.lastDue === undefined ? {} : { lastDue: kept.lastDue }),
  };
};

/** The schedules that a definition has, standing at their next due times; those with faults are left out. */
export const scheduleEntries = (definition: WorkflowDefinition, context: ActivationContext): ScheduleEntry[] =>
  schedulesOf(definition)
    .slice(0, MAX_SCHEDULES)
    .map((schedule) => scheduleEntry(definition, schedule, context));

/**
 * Works out what makes a version start by itself.
 * @param value the version's definition, parsed
 * @throws WorkflowNotRunnable with a field for everything that keeps it from running.
 */
export const makeActivation = (version: Version, value: DefinitionJson, context: ActivationContext): Activation => {
  const definition = readDefinition({ ...completeDefinition(value, version.typeVersions) });
  const faults = activationErrors(definition);
  if (faults.length > 0) throw new WorkflowNotRunnable(version.workflowId, toFieldErrors(definition, faults));
  return {
    id: uuidv7(),
    versionId: version.id,
    routes: routesOf(definition, version.workflowId).map(({ key, method, path, node }) => ({
      key,
      method,
      path,
      node,
    })),
    schedules: scheduleEntries(definition, context),
  };
};
