import { republishDelayMs } from '../domain/back-off';
import { republishWrite } from '../domain/free-writes';
import type { ApplyWrite, Clock, Publish } from '../domain/ports';
import type { FindDue } from '../domain/sweep-ports';

/** What republishing needs. */
export interface RepublishPorts {
  readonly findDue: FindDue;
  readonly apply: ApplyWrite;
  readonly publish: Publish;
  readonly clock: Clock;
}

const MOST = 1_000;

/**
 * T13: publishes queued executions again that nobody claimed in time, each time later. This is what makes a lost message,
 * or a lost broker, harmless.
 */
export const createRepublishUnclaimed =
  ({ findDue, apply, publish, clock }: RepublishPorts) =>
  async (): Promise<void> => {
    const now = clock();
    const unclaimed = await findDue.unclaimed(new Date(now), MOST);
    await Promise.all(
      unclaimed.map(async (found) => {
        const next = new Date(now + republishDelayMs(found.republished ?? 0));
        const { verdict } = await apply(found._id, republishWrite(found, next));
        if (verdict === 'accepted') publish(found._id, `${found.gen + 1}`);
      }),
    );
  };
