import { ScheduleServiceService } from '@weft/proto/schedules';
import { createCaller, type Caller } from '@weft/service-kit/grpc';
import type { Peer } from './peer';

/** What the gateway asks of the workflows service about schedules. */
export type SchedulesClient = Caller<typeof ScheduleServiceService>;

/** Connects to the workflows service. */
export const createSchedulesClient = (peer: Peer): SchedulesClient =>
  createCaller(ScheduleServiceService, {
    service: 'workflows',
    ...peer,
    retried: ['previewSchedule', 'listBackfills', 'cancelBackfill'],
  });
