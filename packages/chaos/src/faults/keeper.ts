import { setTimeout as sleep } from 'node:timers/promises';
import type { StackProcess } from '@weft/local-stack';
import type { Violation } from '../checks/evidence';
import type { TestEnvironment } from '../environment/test-environment';
import type { Target } from '../plan/fault';

/** Supervises the processes: kills them on request, restarts them, and records those that ended unexpectedly. */
export interface Keeper {
  /**
   * SIGKILL, and a new process after that pause; returns when it is healthy. Waits for its turn if it is being started.
   */
  readonly kill: (target: Target, downMs: number) => Promise<void>;
  /** Processes that ended without being stopped. */
  readonly violations: readonly Violation[];
  readonly stop: () => void;
}

const nameOf = ({ service, index }: Pick<StackProcess, 'service' | 'index'>): string => `${service}-${index}`;

/** Begins to supervise all processes of a stack. */
export const startKeeper = (environment: TestEnvironment): Keeper => {
  const violations: Violation[] = [];
  const expected = new Set<string>();
  const turns = new Map<string, Promise<void>>();
  let isStopped = false;

  const inTurn = (name: string, work: () => Promise<void>): Promise<void> => {
    const next = (turns.get(name) ?? Promise.resolve()).then(work);
    turns.set(
      name,
      next.catch(() => undefined),
    );
    return next;
  };
  const restart = async (each: StackProcess): Promise<void> => {
    if (isStopped) return;
    // its dependencies may be down as well: restart it until it stays up
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        await each.restart();
        return watch(each);
      } catch {
        await sleep(500);
      }
    }
    await each.restart();
    watch(each);
  };
  const watch = (each: StackProcess): void => {
    const name = nameOf(each);
    void each.ended.then(() => {
      if (isStopped || expected.has(name)) return;
      violations.push({ check: 'no process ends unexpectedly', executionId: '', what: each.describeEnd().message });
      void inTurn(name, () => restart(each)).catch(() => undefined);
    });
  };
  for (const each of environment.stack.processes) watch(each);
  return {
    kill: (target, downMs) => {
      const each = environment.processOf(target);
      const name = nameOf(each);
      return inTurn(name, async () => {
        expected.add(name);
        each.kill('SIGKILL');
        await each.ended;
        await sleep(downMs);
        expected.delete(name);
        await restart(each);
      });
    },
    violations,
    stop: () => {
      isStopped = true;
    },
  };
};
