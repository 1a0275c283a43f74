import { SERVICES } from '@weft/local-stack';
import { randomOf, type Random } from '../random';
import {
  describeFault,
  isKill,
  type Fault,
  type FaultKind,
  type Link,
  type PlannedFault,
  type StoreErrors,
  type StoreService,
  type Target,
} from './fault';

/** Inputs of a plan; equal inputs give equal plans. */
export interface PlanRequest {
  readonly seed: number;
  readonly executions: number;
  /** Lease of the runners in milliseconds: faults that a run must outlive stay well below it. */
  readonly leaseMs: number;
  /** Of each service. */
  readonly replicas: number;
  /** Only faults of these kinds; absent: all. */
  readonly only?: readonly FaultKind[];
  /** Time over which the starts are spread; absent: as long as the faults take. */
  readonly durationMs?: number;
}

/** The faults and loads of a run, with their times. */
export interface Plan {
  readonly seed: number;
  readonly executions: number;
  /** Time over which the starts are spread evenly, in milliseconds. */
  readonly durationMs: number;
  readonly faults: readonly PlannedFault[];
  /** Milliseconds by which the clock of each second replica differs from the real one. */
  readonly skewMs: Readonly<Record<(typeof SERVICES)[number], number>>;
}

const EXECUTIONS_PER_ROUND = 1_400;
const SLOT_MS = 3_600;
const JITTER_MS = 600;
/** Milliseconds between two starts while no fault is in progress. */
const CALM_MS = 200;
const TAIL_MS = 2_000;
const MAX_SKEW_MS = 10_000;

/**
 * The connections that carry work. Those of a runner to credentials and workflows carry work only now and then.
 */
const LINKS: readonly [
  Omit<Link, 'from'> & { readonly from: Target['service'] },
  ...(Omit<Link, 'from'> & { readonly from: Target['service'] })[],
] = [
  { from: 'gateway', to: 'executions' },
  { from: 'gateway', to: 'workflows' },
  { from: 'gateway', to: 'credentials' },
  { from: 'executions', to: 'mongodb' },
  { from: 'workflows', to: 'mongodb' },
  { from: 'credentials', to: 'mongodb' },
  { from: 'executions', to: 'workflows' },
  { from: 'executions', to: 'nats' },
  { from: 'workflows', to: 'executions' },
  { from: 'runner', to: 'executions' },
  { from: 'runner', to: 'nats' },
  { from: 'runner', to: 'workflows' },
];

const linkOf = (random: Random, replicas: number): Link => {
  const { from, to } = random.pick(LINKS);
  return { from: { service: from, index: random.between(0, replicas - 1) }, to };
};

/** Conditions of a server, which it may report at random. */
const CONDITIONS = [1, 13, 91, 189, 8_000, 11_600, 14_031, 16_500, 16_777_245] as const;
/** By these a server refuses the content of a write: only one that refuses everything is known not to mean it. */
const REFUSALS = [2, 9, 10_334, 17_419] as const;

const storeErrorsOf = (random: Random, store: StoreService): Fault => {
  const isRefusal = random.next() < 0.3;
  const errors: StoreErrors = {
    code: isRefusal ? random.pick(REFUSALS) : random.pick(CONDITIONS),
    refusesRows: random.next() < 0.3,
    isApplied: random.next() < 0.3,
    share: isRefusal ? 1 : random.pick([0.3, 0.7, 1]),
  };
  return { kind: 'store-errors', store, errors, forMs: random.pick([2_000, 5_000, 11_000]) };
};

const DAY_MS = 86_400_000;
const CLOCK_STEPS_MS = [90_000, 3_600_000, 25 * 3_600_000, 16 * DAY_MS] as const;
/** Until a clock is right again, as after a time server has answered. */
const WRONG_CLOCK_MS = 6_000;

/** A Wait node reads the clock of its runner: one that is ahead makes it wait as long as the step. */
const stepsOf = (random: Random, replica: (service: Target['service']) => Target): Fault[] => {
  const ahead = random.pick(['gateway', 'workflows', 'executions', 'credentials'] as const);
  const behind = random.pick(['gateway', 'workflows', 'executions', 'credentials', 'runner'] as const);
  const step = (service: Target['service'], stepMs: number): Fault => ({
    kind: 'step-clock',
    target: replica(service),
    stepMs,
    forMs: WRONG_CLOCK_MS,
  });
  return [step(ahead, random.pick(CLOCK_STEPS_MS)), step(behind, -random.pick(CLOCK_STEPS_MS))];
};

/** One fault of every kind, in random order. */
const roundOf = (random: Random, { leaseMs, replicas }: PlanRequest): Fault[] => {
  const replica = (service: Target['service']): Target => ({ service, index: random.between(0, replicas - 1) });
  const short = (): number => random.between(800, 2_200);
  const kills = SERVICES.map((service): Fault => ({
    kind: 'kill',
    target: replica(service),
    downMs: random.between(0, 1_000),
  }));
  const freezes = SERVICES.map((service): Fault => ({ kind: 'freeze', target: replica(service), forMs: short() }));
  return random.shuffle([
    ...kills,
    ...freezes,
    { kind: 'outlast', target: replica('runner'), forMs: Math.round(leaseMs * 1.5) + 8_000 },
    { kind: 'lose-nats', downMs: random.between(0, 1_500) },
    { kind: 'freeze-nats', forMs: short() },
    { kind: 'freeze-database', forMs: short() },
    { kind: 'kill-database', downMs: random.between(0, 500) },
    { kind: 'delay', link: linkOf(random, replicas), forMs: short(), delayMs: random.between(50, 400) },
    { kind: 'reset', link: linkOf(random, replicas), forMs: short() },
    { kind: 'half-open', link: linkOf(random, replicas), forMs: short() },
    { kind: 'lose-answers', link: linkOf(random, replicas), forMs: short() },
    storeErrorsOf(random, 'executions'),
    storeErrorsOf(random, random.pick(['workflows', 'credentials'])),
    ...stepsOf(random, replica),
    { kind: 'full-disk', forMs: random.between(3_000, 9_000) },
  ]);
};

const skewsOf = (random: Random): Plan['skewMs'] => ({
  gateway: random.between(-MAX_SKEW_MS, MAX_SKEW_MS),
  workflows: random.between(-MAX_SKEW_MS, MAX_SKEW_MS),
  executions: random.between(-MAX_SKEW_MS, MAX_SKEW_MS),
  credentials: random.between(-MAX_SKEW_MS, MAX_SKEW_MS),
  runner: random.between(-MAX_SKEW_MS, MAX_SKEW_MS),
});

/** Makes the plan of a run: rounds of faults, each with every kind once, one after the other over the whole load. */
export const makePlan = (request: PlanRequest): Plan => {
  const { seed, executions, only } = request;
  const random = randomOf(seed, 'faults');
  const rounds = Math.max(1, Math.ceil(executions / EXECUTIONS_PER_ROUND));
  const all = Array.from({ length: rounds }, () => roundOf(random, request)).flat();
  const wanted = only === undefined ? all : all.filter(({ kind }) => only.includes(kind));
  const faults = wanted.map((fault, index): PlannedFault => ({
    atMs: index * SLOT_MS + SLOT_MS / 2 + random.between(0, JITTER_MS),
    fault,
  }));
  const durationMs =
    request.durationMs ?? (faults.length === 0 ? CALM_MS * executions : (faults.length + 1) * SLOT_MS + TAIL_MS);
  return { seed, executions, durationMs, faults, skewMs: skewsOf(randomOf(seed, 'clocks')) };
};

/** A plan as lines for readers. */
export const planLines = ({ seed, executions, durationMs, faults, skewMs }: Plan): string[] => [
  `seed ${seed}: ${executions} executions over ${(durationMs / 1_000).toFixed(0)} s, ${faults.length} ` +
    `faults, ${faults.filter(({ fault }) => isKill(fault)).length} of them kills`,
  `clocks of the second replicas: ${Object.entries(skewMs)
    .map(([service, ms]) => `${service} ${ms >= 0 ? '+' : ''}${(ms / 1_000).toFixed(1)} s`)
    .join(', ')}`,
  ...faults.map(({ atMs, fault }) => `${(atMs / 1_000).toFixed(1).padStart(7)} s  ${describeFault(fault)}`),
];
