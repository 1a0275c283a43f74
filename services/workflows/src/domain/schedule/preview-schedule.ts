import { InternalError } from '@weft/service-kit/errors';
import { WorkflowNotFound } from '../errors';
import type { ListRegistrations, TriggerRegistration } from '../hooks/list-registrations';
import { scheduleEntries } from '../workflows/make-activation';
import type { VersionStore } from '../ports';
import { dueTimesAhead, type DueTime } from './due-times';
import type { ScopedWorkflows } from '../scoped-stores';
import { readVersion } from '../definitions/type-version-defaults';
import type { ScheduleEntry, Workflow } from '../workflows/workflow';

/** Schedules of a workflow, their next due times, and the registrations of its triggers. */
export interface SchedulePreview {
  readonly active: boolean;
  readonly schedules: readonly ScheduleEntry[];
  readonly next: readonly DueTime[];
  /** Of the triggers of apps, while the workflow is active. */
  readonly registrations: readonly TriggerRegistration[];
}

/** Dependencies of previews and backfills. */
export interface ScheduleDeps {
  readonly workflows: ScopedWorkflows;
  readonly versions: Pick<VersionStore, 'find'>;
  readonly defaultTimezone: string;
}

/** The current schedules of a workflow; for an inactive one, as if it were activated now. */
export const currentSchedules = async (
  workflow: Workflow,
  { versions, defaultTimezone }: Omit<ScheduleDeps, 'workflows'>,
  now: Date,
): Promise<readonly ScheduleEntry[]> => {
  if (workflow.activation !== undefined) return workflow.activation.schedules;
  const [version] = await versions.find([workflow.versionId]);
  if (version === undefined) throw new InternalError(new Error(`Version ${workflow.versionId} is not in the store.`));
  return scheduleEntries(readVersion(version), { now, defaultTimezone, workflowId: workflow.id });
};

/** The triggers of a workflow and the next `count` due times. @throws WorkflowNotFound */
export type PreviewSchedule = (workflowId: string, count: number) => Promise<SchedulePreview>;

export const createPreviewSchedule = (
  deps: ScheduleDeps & { readonly listRegistrations: ListRegistrations },
): PreviewSchedule =>
  async function previewSchedule(workflowId, count) {
    const workflow = await deps.workflows.find(workflowId);
    if (workflow === undefined) throw new WorkflowNotFound(workflowId);
    const schedules = await currentSchedules(workflow, deps, new Date());
    const next: DueTime[] = [];
    for (const time of dueTimesAhead(schedules, deps.defaultTimezone)) {
      if (next.length === count) break;
      next.push(time);
    }
    const registrations = await deps.listRegistrations(workflow);
    return { active: workflow.activation !== undefined, schedules, next: next.slice(0, count), registrations };
  };
