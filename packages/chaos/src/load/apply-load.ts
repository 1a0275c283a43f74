import { WorkUnderWay } from '@weft/service-kit/in-flight';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlannedStart } from './choose-kinds';
import { sendResume, sendStart, type Endpoints, type Patience } from './client';
import type { Journal } from './journal';

/** Maximum starts in progress: clients that wait send no more. */
const MAX_UNDER_WAY = 200;

/** Sends all starts, spread evenly over the time, and returns when each client has its result or has given up. */
export const applyLoad = async (
  starts: readonly PlannedStart[],
  durationMs: number,
  journal: Journal,
  endpoints: Endpoints,
  patience: Patience,
): Promise<void> => {
  const began = Date.now();
  const underWay = new WorkUnderWay();
  for (const [position, start] of starts.entries()) {
    const wait = began + (position * durationMs) / starts.length - Date.now();
    if (wait > 0) await sleep(wait);
    while (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay);
    void underWay.track(send(start, journal, endpoints, patience));
  }
  await Promise.all(underWay);
};

const send = async (start: PlannedStart, journal: Journal, endpoints: Endpoints, patience: Patience): Promise<void> => {
  const entry = journal.open(start, false);
  await sendStart(entry, endpoints, patience);
  if (start.kind.start.by === 'webhook' && start.kind.start.resumes === true && entry.acceptedAt !== undefined)
    await sendResume(entry, endpoints, patience);
};
