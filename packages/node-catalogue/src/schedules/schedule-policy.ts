import { isJsonObject, type Json } from '@weft/service-kit/json-values';
import type { DefinitionError, WorkflowDefinition } from '../definition';

/**
 * Policies for due times that passed while nothing could be started: one run for all of them (`coalesce`), none
 * (`skip`), or one for each (`all`).
 */
export const MISSED_POLICIES = ['coalesce', 'skip', 'all'] as const;

export type MissedPolicy = (typeof MISSED_POLICIES)[number];

/**
 * Policies for a due time while a run of the same trigger is in progress: start the new run as well (`allow`), skip it
 * (`skip`), or start it after the run ends, at most one (`buffer-one`).
 */
export const OVERLAP_POLICIES = ['allow', 'skip', 'buffer-one'] as const;

export type OverlapPolicy = (typeof OVERLAP_POLICIES)[number];

/** Policy of a workflow for all of its schedules. */
export interface SchedulePolicy {
  readonly missed: MissedPolicy;
  readonly overlap: OverlapPolicy;
}

const VALUES: Readonly<Record<keyof SchedulePolicy, readonly string[]>> = {
  missed: MISSED_POLICIES,
  overlap: OVERLAP_POLICIES,
};

const member = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** `settings.schedule` with its defaults. Never throws; errors are for `checkDefinition`. */
export function schedulePolicyOf({ settings }: Pick<WorkflowDefinition, 'settings'>): SchedulePolicy {
  const { schedule } = settings;
  return {
    missed: MISSED_POLICIES.find((policy) => policy === member(schedule, 'missed')) ?? 'coalesce',
    overlap: OVERLAP_POLICIES.find((policy) => policy === member(schedule, 'overlap')) ?? 'allow',
  };
}

/** Errors of `settings.schedule`. */
export function schedulePolicyErrors({ settings }: Pick<WorkflowDefinition, 'settings'>): DefinitionError[] {
  const { schedule } = settings;
  if (schedule === undefined || schedule === null) return [];
  if (!isJsonObject(schedule))
    return [
      {
        field: 'settings.schedule',
        message: 'must be an object, for example { "missed": "skip", "overlap": "buffer-one" }',
      },
    ];
  const unknown = Object.keys(schedule).filter((name) => !Object.hasOwn(VALUES, name));
  const wrong = Object.entries(VALUES).filter(([name, values]) => {
    const value = member(schedule, name);
    return value !== undefined && value !== null && !(typeof value === 'string' && values.includes(value));
  });
  return [
    ...unknown.map((name) => ({
      field: `settings.schedule.${name.slice(0, 100)}`,
      message: `This is not known. Use: ${Object.keys(VALUES).join(', ')}.`,
    })),
    ...wrong.map(([name, values]) => ({
      field: `settings.schedule.${name}`,
      message:
        `${JSON.stringify(member(schedule, name)).slice(0, 100)} is not known. ` + `Use one of: ${values.join(', ')}.`,
    })),
  ];
}
