import type { Clock } from '../domain/state/ports';
import { MAX_QUARANTINED, type Quarantine } from '../domain/claim/quarantine';
import type { Share } from '../domain/read/sweep-ports';

/** Ports of announcing. */
export interface AnnouncePorts {
  readonly quarantine: Pick<Quarantine, 'latest'>;
  /** Reports a version to all runners; a hint that may be lost. */
  readonly announce: (versionId: string) => void;
  readonly share: Share;
  readonly clock: Clock;
}

/** Milliseconds between two announcements of the same versions, which also reach runners that have just started. */
const EVERY_MS = 5_000;

/** Periodically reports the versions in quarantine to the runners. One replica does so. */
export const createAnnounceQuarantine = ({ quarantine, announce, share, clock }: AnnouncePorts) => {
  let announcedAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<boolean> => {
    const now = clock();
    if (!share.isMine('announce-quarantine') || Math.abs(now - announcedAt) < EVERY_MS) return false;
    for (const versionId of await quarantine.latest(new Date(now), MAX_QUARANTINED)) announce(versionId);
    announcedAt = now;
    return false;
  };
};
