import { startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { createTakeMine, type Share } from '@weft/service-kit/replicas';
import type { Connection } from 'mongoose';
import type { Backfill } from './domain/backfills/backfill';
import { createManageBackfills } from './domain/backfills/manage-backfills';
import { createRunBackfills } from './domain/backfills/run-backfill';
import { createFireSchedules, type StartScheduled } from './domain/fire-schedules';
import type { DueWorkflow } from './domain/ports';
import { createPreviewSchedule } from './domain/preview-schedule';
import { createScheduleMethods, type ScheduleMethods } from './handlers/schedule-methods';
import { fireDueSchedules } from './jobs/fire-due-schedules';
import { createBackfillStore } from './store/backfill-store';
import { createScheduleStore } from './store/schedule-store';
import { createVersionStore } from './store/version-store';
import { createWorkflowStore } from './store/workflow-store';

/** What schedules work on. */
export interface ScheduleWiring {
  readonly connection: Connection;
  readonly start: StartScheduled;
  readonly share: Share;
  readonly defaultTimezone: string;
  /** Milliseconds between two looks. */
  readonly everyMs: number;
  readonly logger: Logger;
}

/** ScheduleService and the loops behind schedules. */
export interface Schedules {
  readonly methods: ScheduleMethods;
  readonly loops: readonly Loop[];
}

/** Joins store, domain and handlers of schedules, and starts their loops. */
export const wireSchedules = ({
  connection,
  start,
  share,
  defaultTimezone,
  everyMs,
  logger,
}: ScheduleWiring): Schedules => {
  const workflows = createWorkflowStore(connection);
  const backfills = createBackfillStore(connection);
  const ports = { workflows, versions: createVersionStore(connection), defaultTimezone };
  const fire = createFireSchedules({
    schedules: createScheduleStore(connection),
    start,
    defaultTimezone,
    takeMine: createTakeMine({
      share,
      idOf: ({ workflowId }: DueWorkflow) => workflowId,
      dueOf: ({ checkAt }: DueWorkflow) => checkAt,
    }),
    onTrouble: (workflowId, { node, trouble }) =>
      logger.warn({ workflowId, node, ...trouble }, 'a due schedule was not started'),
    random: Math.random,
  });
  const runBackfills = createRunBackfills({
    backfills,
    start,
    defaultTimezone,
    findHeads: workflows.findHeads,
    takeMine: createTakeMine({ share, idOf: ({ id }: Backfill) => id, dueOf: ({ updatedAt }: Backfill) => updatedAt }),
  });
  const backfillLoop = startLoop({ name: 'run-backfills', everyMs, logger, turn: runBackfills });
  return {
    methods: createScheduleMethods(
      createPreviewSchedule(ports),
      createManageBackfills({ ...ports, backfills, onStarted: backfillLoop.wake }),
      defaultTimezone,
    ),
    loops: [fireDueSchedules({ everyMs, logger, fire }), backfillLoop],
  };
};
