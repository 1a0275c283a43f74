import { childResult } from './child-result';
import type { ChunkStore } from './chunks';
import { isEndState } from './execution-state';
import { wakeWrite } from './free-writes';
import { MAX_RESUME_BYTES } from './limits';
import type { ApplyWrite, Clock, Publish, ReadExecution } from './ports';

/** Wakes an execution that waits for a child, if the child has ended or is gone. Safe to repeat. @throws Unavailable */
export type WakeParent = (parentId: string, childId: string) => Promise<void>;

/** What waking a parent needs. */
export interface WakeParentPorts {
  readonly read: ReadExecution;
  readonly apply: ApplyWrite;
  readonly chunks: ChunkStore;
  readonly publish: Publish;
  readonly clock: Clock;
}

/** Wakes parents with the results of their children. */
export const createWakeParent =
  ({ read, apply, chunks, publish, clock }: WakeParentPorts): WakeParent =>
  async (parentId, childId) => {
    const child = await read(childId);
    if (child !== undefined && !isEndState(child.state)) return;
    const result = await childResult(child, chunks, MAX_RESUME_BYTES);
    const { verdict } = await apply(parentId, wakeWrite({ 'await.childId': childId }, { kind: 'child', ...result }, new Date(clock())));
    if (verdict === 'accepted') publish(parentId, `child-${childId}`);
  };
