import { setTimeout as sleep } from 'node:timers/promises';
import type { TestEnvironment } from '../environment/test-environment';
import { pingMongodb, type ProxyMode } from '@weft/local-stack';
import { categoryOf, type Fault, type Target } from '../plan/fault';
import type { Sampler } from '../watch/sampler';
import type { AppliedFault, FaultLog } from './fault-log';
import type { Keeper } from './keeper';

/** Means by which faults are carried out. */
export interface FaultTools {
  readonly environment: TestEnvironment;
  readonly sampler: Sampler;
  readonly log: FaultLog;
  readonly keeper: Keeper;
}

/** Forwarded requests have this long to be carried out before their connection is cut. */
const ANSWER_LOST_MS = 250;

const hit = async (
  fault: Fault,
  target: Target,
  { environment, sampler }: FaultTools,
): Promise<Omit<AppliedFault, 'endedAt'>> => {
  if (target.service !== 'runner')
    return { category: categoryOf(fault), fault, startedAt: Date.now(), runnerIds: [], affected: [] };
  const runnerIds = environment.runnerIdsOf(target.index);
  await sampler.look();
  return {
    category: categoryOf(fault),
    fault,
    startedAt: Date.now(),
    runnerIds,
    affected: runnerIds.flatMap(sampler.heldBy),
  };
};

const freeze = async (
  processes: readonly { readonly kill: (signal: NodeJS.Signals) => void }[],
  forMs: number,
): Promise<void> => {
  for (const each of processes) each.kill('SIGSTOP');
  await sleep(forMs);
  for (const each of processes) each.kill('SIGCONT');
};

const setModes = async (fault: Extract<Fault, { link: unknown }>, environment: TestEnvironment): Promise<void> => {
  const proxies = environment.proxiesOf(fault.link);
  const setAll = (mode: ProxyMode): void => proxies.forEach((proxy) => proxy.setMode(mode));
  if (fault.kind === 'lose-answers') {
    // repeatedly: the requests sent in the meantime take effect, and no caller gets an answer
    for (const until = Date.now() + fault.forMs; Date.now() < until;) {
      setAll({ kind: 'lose-answers' });
      await sleep(ANSWER_LOST_MS);
      proxies.forEach((proxy) => proxy.cut());
      setAll({ kind: 'pass' });
      await sleep(ANSWER_LOST_MS);
    }
    return;
  }
  setAll(fault.kind === 'delay' ? { kind: 'delay', ms: fault.delayMs } : { kind: fault.kind });
  await sleep(fault.forMs);
  setAll({ kind: 'pass' });
  // connections that were open meanwhile have lost bytes
  if (fault.kind === 'half-open') proxies.forEach((proxy) => proxy.cut());
};

const DATABASE_ANSWERS_MS = 3_000;

/** Frees the disk, and starts the database again if it ended without room, as its operator would. */
const fillDisk = async (forMs: number, { stack, disk }: TestEnvironment): Promise<void> => {
  if (disk === undefined) throw new Error('The database has no separate disk.');
  await disk.fill();
  await sleep(forMs);
  disk.free();
  if ((await pingMongodb(stack.mongodbUri, DATABASE_ANSWERS_MS)) === undefined) return;
  await stack.killMongodb();
  await stack.startMongodbAgain();
};

const carryOut = async (fault: Fault, tools: FaultTools): Promise<void> => {
  const { stack, processOf } = tools.environment;
  switch (fault.kind) {
    case 'kill':
      return tools.keeper.kill(fault.target, fault.downMs);
    case 'freeze':
    case 'outlast':
      return freeze([processOf(fault.target)], fault.forMs);
    case 'lose-nats':
      await stack.killNatsAndItsStore();
      await sleep(fault.downMs);
      return stack.startNatsAgain();
    case 'kill-database':
      await stack.killMongodb();
      await sleep(fault.downMs);
      return stack.startMongodbAgain();
    case 'freeze-nats':
      return freeze(
        stack.servers.filter(({ name }) => name === 'nats'),
        fault.forMs,
      );
    case 'freeze-database':
      // PostgreSQL's processes cannot be stopped from here; the server in front of them can
      return freeze(
        stack.servers.filter(({ name }) => name === 'ferretdb' || name === 'mongod'),
        fault.forMs,
      );
    case 'store-errors':
      tools.environment.failStore(fault.store, fault.errors);
      await sleep(fault.forMs);
      return tools.environment.failStore(fault.store, undefined);
    case 'step-clock':
      tools.environment.stepClock(fault.target, fault.stepMs);
      await sleep(fault.forMs);
      return tools.environment.stepClock(fault.target, 0);
    case 'full-disk':
      return fillDisk(fault.forMs, tools.environment);
    case 'delay':
    case 'reset':
    case 'half-open':
    case 'lose-answers':
      return setModes(fault, tools.environment);
  }
};

/** Carries out a fault and logs it. Returns when it is undone: processes are back and healthy, links pass. */
export const applyFault = async (
  fault: Fault,
  tools: FaultTools,
  onBegun: (applied: AppliedFault) => void,
): Promise<void> => {
  const target = 'target' in fault ? fault.target : undefined;
  const before =
    target === undefined
      ? { category: categoryOf(fault), fault, startedAt: Date.now(), runnerIds: [], affected: [] }
      : await hit(fault, target, tools);
  const applied = tools.log.begin(before);
  onBegun(applied);
  await carryOut(fault, tools);
  applied.endedAt = Date.now();
};
