import { setTimeout as sleep } from 'node:timers/promises';
import type { Sink } from '../ground/sink';
import type { StoreReader } from '../watch/store';
import type { FaultTools } from './apply-fault';
import type { AppliedFault } from './fault-log';

const killIfThere = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile, with its runner
  }
};

/**
 * Plays a run that kills its runner: whenever such a run calls the sink, the runner that holds it is killed before it
 * is answered.
 * @param afterMs milliseconds from the call to the kill: in that time the runner claims what came back with the run
 */
export const killPoisoned =
  (
    { ground, sampler, log, keeper }: FaultTools,
    store: StoreReader,
    onBegun: (applied: AppliedFault) => void,
    afterMs: number,
  ): Sink['onPoison'] =>
  async (executionId) => {
    await sleep(afterMs);
    const [row] = await store.byIds([executionId]);
    const runnerId = row?.lease?.runnerId;
    const claiming = runnerId === undefined ? undefined : ground.claimingProcess(runnerId);
    if (claiming === undefined || runnerId === undefined) return;
    const runner = ground.processOf({ service: 'runner', index: claiming.index });
    await sampler.look();
    const applied = log.begin({
      category: 'poisoned run',
      fault: 'poison',
      startedAt: Date.now(),
      runnerIds: [runnerId],
      affected: sampler.heldBy(runnerId).filter((id) => id !== executionId),
    });
    onBegun(applied);
    // the process that executes it: the runner itself, or one that it has for runs that begin alone
    if (claiming.pid === runner.pid) await keeper.kill(runner, 0);
    else killIfThere(claiming.pid);
    applied.endedAt = Date.now();
  };
