import { parseArgs } from 'node:util';
import { StackError } from '@weft/local-stack';
import type { FaultKind } from './plan/fault';
import { DEFAULT_PACE, SHORT_PACE, type Pace } from './settings';

/** Protections that can be disabled, to show that the checks notice. */
export const PROTECTIONS = ['sweeper', 'fence', 'per-entry-answers', 'isolation'] as const;

/** The scenarios that are not a plan of faults. */
export const SCENARIOS = [
  'hostile-tenant',
  'many-owners',
  'rolling-restart',
  'overload',
  'strangers',
  'key-rotation',
  'nats-rotation',
] as const;

/** The name of a scenario. */
export type Scenario = (typeof SCENARIOS)[number];

const MAX_MINUTES = 1_440;

/** Options of the command. */
export interface Arguments {
  readonly executions: number;
  readonly seed: number;
  /** Shows the plan and runs nothing. */
  readonly planOnly: boolean;
  readonly json: boolean;
  readonly pace: Pace;
  readonly withHostile: boolean;
  readonly without: readonly string[];
  readonly only?: readonly FaultKind[];
  readonly settleLimitMs?: number;
  /** Time for which each client retries. */
  readonly patienceMs?: number;
  /** A scenario instead of a plan of faults. */
  readonly scenario?: Scenario;
  /** Length of a scenario whose length can be set. */
  readonly minutes?: number;
  /** Starts of the ordinary load of a scenario per second. */
  readonly perSecond: number;
  /** Replicas of each service. */
  readonly replicas: number;
  /** Time over which the starts are spread; absent: as long as the faults take. */
  readonly durationMs?: number;
}

const KINDS: Readonly<Record<FaultKind, true>> = {
  kill: true,
  freeze: true,
  outlast: true,
  'lose-nats': true,
  'kill-database': true,
  'freeze-nats': true,
  'freeze-database': true,
  delay: true,
  reset: true,
  'half-open': true,
  'lose-answers': true,
  'store-errors': true,
  'step-clock': true,
  'full-disk': true,
};
const isFaultKind = (name: string): name is FaultKind => Object.hasOwn(KINDS, name);

/** All kinds of faults. */
export const FAULT_KINDS: readonly FaultKind[] = Object.keys(KINDS).filter(isFaultKind);

const whole = (name: string, text: string, least: number): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw new StackError(`--${name} is "${text}"; it must be an integer from ${least} up.`);
  return value;
};

const positive = (name: string, text: string): number => {
  const value = Number(text);
  if (!(value > 0 && value <= MAX_MINUTES))
    throw new StackError(`--${name} is "${text}"; it must be a number above 0, at most ${MAX_MINUTES}.`);
  return value;
};

const listOf = <Name extends string>(
  name: string,
  text: string | undefined,
  isName: (each: string) => each is Name,
  all: readonly string[],
): readonly Name[] =>
  (text ?? '')
    .split(',')
    .filter((each) => each !== '')
    .map((each) => {
      if (!isName(each)) throw new StackError(`--${name} is "${each}"; use one or more of: ${all.join(', ')}.`);
      return each;
    });

const OPTIONS = {
  executions: { type: 'string', default: '500' },
  seed: { type: 'string' },
  plan: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'default-lease': { type: 'boolean', default: false },
  'lease-seconds': { type: 'string' },
  healthy: { type: 'boolean', default: false },
  without: { type: 'string' },
  faults: { type: 'string' },
  'settle-seconds': { type: 'string' },
  'patience-seconds': { type: 'string' },
  replicas: { type: 'string', default: '2' },
  'load-seconds': { type: 'string' },
  scenario: { type: 'string' },
  minutes: { type: 'string' },
  'per-second': { type: 'string', default: '50' },
} as const;

const read = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
  } catch (error) {
    throw new StackError(
      `${error instanceof Error ? error.message : String(error)}. Options: ${Object.keys(OPTIONS)
        .map((name) => `--${name}`)
        .join(', ')}.`,
    );
  }
};

const paceOf = (isDefault: boolean, leaseSeconds: string | undefined): Pace => {
  const pace = isDefault ? DEFAULT_PACE : SHORT_PACE;
  return leaseSeconds === undefined ? pace : { ...pace, leaseMs: whole('lease-seconds', leaseSeconds, 1) * 1_000 };
};

/** Reads the command line. @throws StackError that says what is wrong */
export const readArguments = (args: readonly string[]): Arguments => {
  const values = read(args);
  const isProtection = (name: string): name is (typeof PROTECTIONS)[number] =>
    PROTECTIONS.some((each) => each === name);
  const isScenario = (name: string): name is Scenario => SCENARIOS.some((each) => each === name);
  const [scenario] = listOf('scenario', values.scenario, isScenario, SCENARIOS);
  return {
    executions: whole('executions', values.executions, 1),
    seed: values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : whole('seed', values.seed, 0),
    planOnly: values.plan,
    json: values.json,
    pace: paceOf(values['default-lease'], values['lease-seconds']),
    withHostile: !values.healthy,
    without: listOf('without', values.without, isProtection, PROTECTIONS),
    ...(values.minutes === undefined ? {} : { minutes: positive('minutes', values.minutes) }),
    perSecond: whole('per-second', values['per-second'], 1),
    replicas: whole('replicas', values.replicas, 1),
    ...(values['load-seconds'] === undefined
      ? {}
      : { durationMs: whole('load-seconds', values['load-seconds'], 1) * 1_000 }),
    ...(values.faults === undefined
      ? {}
      : {
          only: listOf('faults', values.faults === 'none' ? '' : values.faults, isFaultKind, [
            ...Object.keys(KINDS),
            'none',
          ]),
        }),
    ...(values['settle-seconds'] === undefined
      ? {}
      : { settleLimitMs: whole('settle-seconds', values['settle-seconds'], 1) * 1_000 }),
    ...(values['patience-seconds'] === undefined
      ? {}
      : { patienceMs: whole('patience-seconds', values['patience-seconds'], 1) * 1_000 }),
    ...(scenario === undefined ? {} : { scenario }),
  };
};
