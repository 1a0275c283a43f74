import { SERVICES, StackError, type Report } from '@weft/local-stack';
import { resolve } from 'node:path';
import { createApi, type Api } from '../api';
import { readMemory } from '../cpu/memory';
import { cpuBetween, readCpu } from '../cpu/process-cpu';
import { arrange, type Arrangement } from '../arrangements/arrange';
import { commitOf, nodeOf } from './checkout-facts';
import type { StackFacts, StackSettings } from './stack-messages';
import { startStackProcess, type StackProcess } from './stack-process';

/** A stack to be started and measured. */
export interface SubjectPlan {
  /** Its column in the result. */
  readonly name: string;
  /** Absolute path. */
  readonly checkout: string;
  /** Number of processes by service; one each by default. */
  readonly replicas: Readonly<Record<string, number>>;
  /** Absent: services call in plain text, metrics are counted and not scraped, and no traces are recorded. */
  readonly arrangement?: Arrangement;
}

/** A stack under test, or one of the states of a stack. */
export interface Subject extends SubjectPlan {
  /** Takes its state, before each measurement. */
  readonly enter: () => Promise<void>;
  /** Another state of the same stack, whose loads it shares. */
  readonly stateOf?: Subject;
  readonly commit: string | undefined;
  readonly node: { readonly program: string; readonly version: string };
  readonly facts: StackFacts;
  readonly api: Api;
  /** Resident memory by process before any load. */
  readonly idleMiB: ReadonlyMap<string, number>;
  readonly stack: Pick<StackProcess, 'failed' | 'stop'>;
}

/** This checkout. */
export const OWN_CHECKOUT = resolve(__dirname, '../../../../..');

/** Nothing limits the rate of requests, and nodes reach the bench's own server. */
const ENV: StackSettings['env'] = {
  credentials: { RATE_LIMIT_PER_MINUTE: '0' },
  runner: { OUTBOUND_ALLOW: '127.0.0.1' },
};

const QUIET_LIMIT_MS = 15_000;
const QUIET_STEP_MS = 500;
const QUIET_SHARE = 0.1;

/** Waits until the processes of a stack use less than a tenth of a core: they load things ahead after their start. */
const untilQuiet = async ({ processes }: StackFacts): Promise<void> => {
  const end = performance.now() + QUIET_LIMIT_MS;
  for (let before = readCpu(processes); performance.now() < end;) {
    await new Promise((settle) => setTimeout(settle, QUIET_STEP_MS));
    const now = readCpu(processes);
    const spent = [...cpuBetween(before, now).values()].reduce((sum, ms) => sum + ms, 0);
    if (spent < QUIET_STEP_MS * QUIET_SHARE) return;
    before = now;
  }
};

const isService = (name: string): boolean => SERVICES.some((service) => service === name);

const together = (one: StackSettings['env'], other: StackSettings['env']): StackSettings['env'] =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [name, { ...one[name], ...other[name] }]),
  );

/**
 * Builds and starts a stack, and reads its memory at rest.
 * @returns its states; most stacks have one
 * @throws StackError that says why it cannot be started
 */
export const startSubject = async (plan: SubjectPlan, report: Report): Promise<readonly Subject[]> => {
  report(`Starting ${plan.name} (${plan.checkout}) ...`);
  const arranged = plan.arrangement === undefined ? undefined : await arrange(plan.arrangement);
  const settings = { replicas: plan.replicas, env: together(ENV, arranged?.env ?? {}) };
  const { facts, ...stack } = await startStackProcess(plan.checkout, settings, report);
  arranged?.begin();
  const runner = facts.processes.find(({ name }) => name === 'runner');
  if (runner === undefined) throw new StackError(`The stack of ${plan.checkout} has no runner.`);
  await untilQuiet(facts);
  const first: Subject = {
    ...plan,
    enter: () => Promise.resolve(),
    commit: commitOf(plan.checkout),
    node: nodeOf(runner.pid),
    facts,
    api: createApi(facts.baseUrl, facts.apiKey),
    idleMiB: readMemory(facts.processes),
    stack: {
      failed: stack.failed,
      stop: async () => {
        await arranged?.stop();
        await stack.stop();
      },
    },
  };
  const services = facts.processes.filter(({ name }) => isService(name)).map(({ pid }) => pid);
  const [own, ...others] = (arranged?.states ?? []).map(({ name, enter }) => ({ name, enter: () => enter(services) }));
  if (own === undefined) return [first];
  const whole = { ...first, ...own };
  return [whole, ...others.map((state) => ({ ...whole, ...state, stateOf: whole }))];
};
