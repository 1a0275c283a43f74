import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName, StackProcess } from '@weft/local-stack';
import type { Violation } from '../checks/evidence';
import { checkAnswers, checkRuns, clientKeyOf } from './check-runs';
import { spread, type ScenarioResult, type Figure } from './scenario-result';
import { keepStarting } from './keep-starting';
import { MIXED_KINDS, STEPWISE } from './kinds';
import { watchDeath, type Death } from './runner-death';
import { openScene, type Scene } from './scene';
import { firstAnswerMs, startRun, type Wanted } from './start-run';

/** Options of the scenario. */
export interface RollingRestartOptions {
  /** Number of restarts of every process. */
  readonly rounds: number;
  /** Services in the order of their restarts. */
  readonly services: readonly ServiceName[];
  /** Time after which no further process is restarted; for a short trial. */
  readonly limitMs: number;
  readonly perSecond: number;
  readonly report: (line: string) => void;
}

interface Stop {
  readonly name: string;
  readonly downMs: number;
  readonly stopMs: number;
}

/** Time that an orchestrator grants after SIGTERM. */
const GRACE_MS: Readonly<Record<string, number>> = { runner: 60_000 };
const DEFAULT_GRACE_MS = 45_000;
/**
 * Time for which a replacement must be healthy before the next process is stopped; `minReadySeconds` of the deployment.
 */
const MIN_READY_MS = 5_000;
const STEPWISE_RUNS = 12;
/** Kinds with more weight have callers who do not wait long. */
const QUICK_WEIGHT = 10;
const SETTLE_MS = 90_000;

const nameOf = ({ service, index }: StackProcess): string => `${service}-${index}`;

/** SIGTERM, the end, and a replacement that is healthy. */
const replace = async (each: StackProcess, violations: Violation[]): Promise<Stop> => {
  const began = Date.now();
  const graceMs = GRACE_MS[each.service] ?? DEFAULT_GRACE_MS;
  each.kill('SIGTERM');
  const timer = setTimeout(() => each.kill('SIGKILL'), graceMs);
  const { code, signal } = await each.ended;
  clearTimeout(timer);
  const stopMs = Date.now() - began;
  if (code !== 0)
    violations.push({
      check: 'a process that is told to end does so in time',
      executionId: '',
      what: `${nameOf(each)}: exit code ${code ?? 'none'}, signal ${signal ?? 'none'} after ${stopMs} ms`,
    });
  await each.restart();
  return { name: nameOf(each), stopMs, downMs: Date.now() - began };
};

const roll = async (
  { environment }: Scene,
  { rounds, services, limitMs, report }: RollingRestartOptions,
  violations: Violation[],
): Promise<Stop[]> => {
  const until = Date.now() + limitMs;
  const stops: Stop[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const service of services) {
      for (const each of environment.stack.of(service)) {
        if (Date.now() > until) return stops;
        const stop = await replace(each, violations);
        stops.push(stop);
        report(`    round ${round}: ${stop.name} ended within ${stop.stopMs} ms, replaced within ${stop.downMs} ms`);
        await sleep(MIN_READY_MS);
      }
    }
  }
  return stops;
};

/** Kills the runner with the most runs, and watches them. */
const killRunner = async (scene: Scene, wanted: Wanted[], report: (line: string) => void): Promise<Death> => {
  for (let index = 0; index < STEPWISE_RUNS; index += 1)
    void startRun(STEPWISE, index, `stepwise-${index}`, scene.ingress).then((each) => wanted.push(each));
  await sleep(3_000);
  return watchDeath(scene, report);
};

/** The slowest of the quick calls: those that waited for a process that stopped. */
const slowestOf = (wanted: readonly Wanted[]): Figure => {
  const quick = wanted
    .filter(({ kind }) => kind.weight >= QUICK_WEIGHT)
    .sort((one, other) => firstAnswerMs(other) - firstAnswerMs(one));
  return [
    'slowest short ones',
    quick
      .slice(0, 4)
      .map(
        (each) =>
          `${each.key} ${firstAnswerMs(each)} ms from ` +
          `${new Date(each.replies[0]?.sentAt ?? 0).toISOString().slice(11)}`,
      )
      .join(', '),
  ];
};

const answersOf = (wanted: readonly Wanted[]): Figure[] => {
  const counts = new Map<string, number>();
  for (const { replies } of wanted) {
    for (const reply of replies) {
      const name = reply.kind === 'broken' ? 'broken connections' : String(reply.status);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [
    [
      'answers',
      [...counts]
        .sort()
        .map(([name, count]) => `${name}: ${count}`)
        .join(', '),
    ],
  ];
};

const run = async (scene: Scene, options: RollingRestartOptions): Promise<ScenarioResult> => {
  const { perSecond, report } = options;
  const wanted: Wanted[] = [];
  const violations: Violation[] = [];
  let isOver = false;
  const load = keepStarting(scene.ingress, {
    kinds: MIXED_KINDS,
    keyOf: ({ name }, index) => `${name}-${index}`,
    wanted,
    perSecond,
    most: 5_000,
    isOver: () => isOver,
  });
  await sleep(5_000);
  const stops = await roll(scene, options, violations);
  await sleep(2_000);
  isOver = true;
  const { sent } = await load;
  report('waiting for the end of all runs ...');
  const left = await scene.settle(SETTLE_MS);
  const rolled = [...wanted];
  const rolledRows = await scene.rows();
  const createdAt = new Map(rolledRows.map((row) => [clientKeyOf(row), row.createdAt.getTime()]));
  violations.push(
    ...left.map(({ _id, state }) => ({ check: 'every run ends', executionId: _id, what: `still ${state}` })),
    ...checkAnswers(rolled, (key) => createdAt.get(key)),
    ...checkRuns({ wanted: rolled, rows: rolledRows, sink: scene.sink, hadDeaths: false }),
  );
  report('killing a runner ...');
  const deaths: Wanted[] = [];
  const death = await killRunner(scene, deaths, report);
  await scene.settle(SETTLE_MS);
  const steps = (await scene.rows()).filter((row) => clientKeyOf(row).startsWith('stepwise-'));
  violations.push(
    ...death.violations,
    ...checkRuns({ wanted: deaths, rows: steps, sink: scene.sink, hadDeaths: true }),
  );
  const retried = rolled.filter(({ replies }) => replies.length > 1).length;
  return {
    scenario: 'rolling-restart',
    figures: [
      ['load', `${sent} starts, ${perSecond} a second`],
      ['restarts', `${stops.length}, from SIGTERM to the end ${spread(stops.map(({ stopMs }) => stopMs))}`],
      ...answersOf(rolled),
      ['starts that were sent again', String(retried)],
      ...MIXED_KINDS.map(({ name }): Figure => [
        `first answer of ${name}`,
        spread(rolled.filter(({ kind }) => kind.name === name).map(firstAnswerMs)),
      ]),
      slowestOf(rolled),
      [
        'runs that were handed over',
        String(rolledRows.filter(({ fence, state }) => fence > 1 && state !== 'waiting').length),
      ],
      ["runner's death to its runs going on", spread(death.recoveriesMs)],
    ],
    violations,
  };
};

/** Restarts every process in turn under load as an orchestrator does, then kills a runner; see docs/guides/chaos.md. */
export const rollingRestart = async (options: RollingRestartOptions): Promise<ScenarioResult> => {
  const scene = await openScene([...MIXED_KINDS, STEPWISE], options.report);
  try {
    return await run(scene, options);
  } finally {
    await scene.stop();
  }
};
