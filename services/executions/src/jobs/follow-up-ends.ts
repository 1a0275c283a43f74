import type { CarryOutFollowUps } from '../domain/follow-ups';
import type { Clock } from '../domain/ports';
import type { FindDue } from '../domain/sweep-ports';

const MOST = 100;

/** Carries out follow-ups that are due. @returns whether there may be more. */
export const createFollowUpEnds =
  (findDue: FindDue, carryOut: CarryOutFollowUps, clock: Clock) =>
  async (): Promise<boolean> => {
    // A millisecond later, so that what was armed in this very millisecond counts.
    const due = await findDue.dueFollowUps(new Date(clock() + 1), MOST);
    await Promise.all(due.map(carryOut));
    return due.length === MOST;
  };
