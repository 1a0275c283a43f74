import { startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { Share } from '@weft/service-kit/replicas';
import type { Connection } from 'mongoose';
import { createCollectVersions, type FindReferred } from './domain/collect-versions';
import { createVersionReviews } from './store/version-reviews';
import { createWorkflowStore } from './store/workflow-store';

/** What collecting versions works on. */
export interface VersionWiring {
  readonly connection: Connection;
  readonly findReferred: FindReferred;
  readonly share: Share;
  /** Milliseconds between two looks. */
  readonly everyMs: number;
  readonly logger: Logger;
}

const NAME = 'collect-versions';

/** Starts the loop that removes versions that nothing needs: one of the replicas does it. */
export const collectVersions = ({ connection, findReferred, share, everyMs, logger }: VersionWiring): Loop => {
  const collect = createCollectVersions({
    reviews: createVersionReviews(connection),
    workflows: createWorkflowStore(connection),
    findReferred,
    clock: Date.now,
    onRemoved: (count) => logger.info({ count }, 'versions that nothing needs were removed'),
  });
  return startLoop({
    name: NAME,
    everyMs,
    logger,
    turn: () => (share.isMine(NAME) ? collect() : Promise.resolve(false)),
  });
};
