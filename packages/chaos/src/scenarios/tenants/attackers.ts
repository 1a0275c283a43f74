import type { Stack } from '@weft/local-stack';

/** The services to attack; the only argument of the attacking process, as JSON. */
export type AttackTarget = Pick<Stack, 'baseUrls' | 'grpcTargets' | 'apiKey' | 'ownerEmail'>;

/** Messages from an attacking process: that it has begun, and after `stop` the answers it received. */
export type AttackMessage =
  { readonly kind: 'started' } | { readonly kind: 'stopped'; readonly counts: Readonly<Record<string, number>> };

/** The side of the process itself. */
export interface Attack {
  readonly target: AttackTarget;
  readonly isOver: () => boolean;
  /** Counts one answer or outcome under a name. */
  readonly count: (name: string) => void;
  /** Reports that it has begun. */
  readonly begun: () => void;
  /** Reports the counts. */
  readonly ended: () => void;
}

const say = (message: AttackMessage): void => void process.send?.(message);

/** Reads the services to attack, and listens for the end. */
export const openAttack = (): Attack => {
  const target: AttackTarget = JSON.parse(process.argv[2] ?? '');
  const counts: Record<string, number> = {};
  let isOver = false;
  process.once('message', () => (isOver = true));
  // a scenario that fails does not stop it
  process.once('disconnect', () => process.exit(1));
  return {
    target,
    isOver: () => isOver,
    count: (name) => void (counts[name] = (counts[name] ?? 0) + 1),
    begun: () => say({ kind: 'started' }),
    ended: () => say({ kind: 'stopped', counts }),
  };
};
