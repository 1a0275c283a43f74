import { ScheduleServiceService } from '@weft/proto/schedules';
import { createCaller, type Caller } from '@weft/service-kit/grpc';
import type { Neighbour } from './neighbour';

/** What the gateway asks of the workflows service about schedules. */
export type SchedulesClient = Caller<typeof ScheduleServiceService>;

/** Connects to the workflows service. */
export const createSchedulesClient = (neighbour: Neighbour): SchedulesClient =>
  createCaller(ScheduleServiceService, {
    service: 'workflows',
    ...neighbour,
    retried: ['previewSchedule', 'listBackfills', 'cancelBackfill'],
  });
