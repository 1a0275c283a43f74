import { isEndState } from '../state/execution-state';
import { wakeWrite } from '../state/free-writes';
import type { ApplyWrite, Clock, Publish, ReadHeld } from '../state/ports';

/**
 * Wakes an execution that waits for a child, if the child has ended or was deleted. Safe to repeat. @throws Unavailable
 */
export type WakeParent = (parentId: string, childId: string) => Promise<void>;

/** Ports of waking a parent. */
export interface WakeParentPorts {
  readonly read: ReadHeld;
  readonly apply: ApplyWrite;
  readonly publish: Publish;
  readonly clock: Clock;
}

/** Wakes parents. Their runners read the results, which may be too large for a waiting document. */
export const createWakeParent =
  ({ read, apply, publish, clock }: WakeParentPorts): WakeParent =>
  async (parentId, childId) => {
    const child = await read(childId);
    if (child !== undefined && !isEndState(child.state)) return;
    const { outcome } = await apply(
      parentId,
      wakeWrite({ 'wait.childId': childId }, { kind: 'child' }, new Date(clock())),
    );
    if (outcome === 'applied') publish(parentId, `child-${childId}`);
  };
