import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { quantile } from '../../report';
import type { ExecutionRow } from '../../watch/store';
import { checkRuns, checkAnswers, clientKeyOf } from '../check-runs';
import { spread, type ScenarioResult, type Figure } from '../scenario-result';
import { healthyLoad } from '../healthy-load';
import { STEADY_KINDS } from '../kinds';
import { openScene, type Scene } from '../scene';
import { startAttackers } from './start-attackers';
import { firstAnswerMs, type Wanted } from '../start-run';
import { watchEnds } from '../watch-ends';
import { watchLoops } from '../watch-loops';
import { watchMemory } from '../watch-memory';

/** Options of the scenario. */
export interface HostileTenantOptions {
  /** Duration with the hostile tenant; before that, a quarter of it without. */
  readonly minutes: number;
  readonly perSecond: number;
  readonly report: (line: string) => void;
}

/** Factor by which the slowest answers may become slower. */
const MAX_SLOWER = 5;
/** Number of runs that the report describes. */
const MAX_LISTED = 10;
const WARM_MS = 5_000;
const SETTLE_MS = 90_000;

/** Milliseconds of all processors since they started. */
const processorMs = (): { readonly busy: number; readonly all: number } => {
  const idle = cpus().reduce((sum, { times }) => sum + times.idle, 0);
  const all = cpus().reduce((sum, { times }) => sum + Object.values(times).reduce((one, two) => one + two, 0), 0);
  return { busy: all - idle, all };
};

/** Starts to measure how busy the processors are. @returns a function that ends it, with the percentage as text */
const watchProcessors = (): (() => string) => {
  const from = processorMs();
  return () => {
    const to = processorMs();
    return `${((100 * (to.busy - from.busy)) / Math.max(1, to.all - from.all)).toFixed(0)} %`;
  };
};

/**
 * Whether the kernel groups processes by session (`autogroup` in sched(7)). Then a runner and its child processes are
 * one group, and the niceness of the latter has no effect on the rest of the machine.
 */
const readSchedulerGroups = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/sched_autogroup_enabled', 'utf8').trim() === '1' ? 'on' : 'off';
  } catch {
    return 'off';
  }
};

const byKind = (title: string, wanted: readonly Wanted[]): Figure[] =>
  STEADY_KINDS.map(({ name }) => [
    `${title}, ${name}`,
    spread(wanted.filter(({ kind }) => kind.name === name).map(firstAnswerMs)),
  ]);

/** Each run that was claimed more than once: its kind, the log lines that explain it, and its time. */
const claimedAgain = (rows: readonly ExecutionRow[], wanted: readonly Wanted[]): string => {
  const kindOf = new Map(wanted.map(({ key, kind }) => [key, kind.name]));
  const again = rows.filter(({ fence }) => fence > 1);
  const listed = again.slice(0, MAX_LISTED).map((row) => {
    const { fence, generation, createdAt, finishedAt } = row;
    const ms = finishedAt === undefined ? 'not ended' : `${finishedAt.getTime() - createdAt.getTime()} ms`;
    return `${kindOf.get(clientKeyOf(row)) ?? 'unknown'} (fence ${fence}, generation ${generation}, ${ms})`;
  });
  return [String(again.length), ...listed].join('; ');
};

/** The p99 of consecutive groups of that many starts. */
const byWindow = (wanted: readonly Wanted[], size: number): string =>
  Array.from({ length: Math.ceil(wanted.length / size) }, (_, window) =>
    quantile(wanted.slice(window * size, (window + 1) * size).map(firstAnswerMs), 0.99).toFixed(0),
  ).join(', ');

const run = async (scene: Scene, { minutes, perSecond, report }: HostileTenantOptions): Promise<ScenarioResult> => {
  const forMs = minutes * 60_000;
  report('the healthy tenant alone ...');
  const warm = await healthyLoad(scene, 'warm', perSecond, WARM_MS);
  const busyAlone = watchProcessors();
  const alone = await healthyLoad(scene, 'alone', perSecond, forMs / 4);
  const busyBefore = busyAlone();
  const memory = watchMemory(scene.environment.stack, scene.limits);
  const loops = watchLoops(scene.environment.stack);
  const ended = watchEnds(scene.environment.stack);
  report('both tenants ...');
  const hostile = await startAttackers('tenants/hostile-tenant-main', scene.environment.stack);
  const busyBoth = watchProcessors();
  const beside = await healthyLoad(scene, 'beside', perSecond, forMs);
  const busyBeside = busyBoth();
  const endedMeanwhile = ended();
  const hostileAnswers = await hostile.stop();
  report('waiting for the end of the healthy runs ...');
  const left = await scene.settle(SETTLE_MS);
  memory.stop();
  await loops.stop();
  const rows = await scene.rows();
  const wanted = [...warm, ...alone, ...beside];
  const createdAt = new Map(rows.map((row) => [clientKeyOf(row), row.createdAt.getTime()]));
  const before = quantile(alone.map(firstAnswerMs), 0.99);
  const after = quantile(beside.map(firstAnswerMs), 0.99);
  const refused = beside.filter(({ replies }) =>
    replies.some((reply) => reply.kind === 'broken' || reply.status >= 400),
  ).length;
  return {
    scenario: 'hostile-tenant',
    figures: [
      ['healthy starts', `${beside.length} next to the hostile tenant, ${alone.length} before, ${perSecond} a second`],
      [
        'hostile starts, by answer',
        Object.entries(hostileAnswers)
          .sort()
          .map(([name, count]) => `${name}: ${count}`)
          .join(', '),
      ],
      ['first answer before', spread(alone.map(firstAnswerMs))],
      ['first answer under attack', spread(beside.map(firstAnswerMs))],
      ['processors busy', `${busyBefore} before, ${busyBeside} under attack`],
      ['kernel.sched_autogroup_enabled', readSchedulerGroups()],
      ['p99 under attack to p99 before', `${(after / Math.max(1, before)).toFixed(1)} (at most ${MAX_SLOWER})`],
      ['p99 under attack, every 10 s', byWindow(beside, perSecond * 10)],
      ...byKind('under attack', beside),
      [
        'run time under attack',
        spread(
          rows.flatMap((row) =>
            clientKeyOf(row).startsWith('beside') && row.finishedAt !== undefined
              ? [row.finishedAt.getTime() - row.createdAt.getTime()]
              : [],
          ),
        ),
      ],
      ['healthy starts refused at first', String(refused)],
      ['healthy runs with counted crashes', String(rows.filter(({ crashes }) => crashes > 0).length)],
      ['healthy runs claimed more than once', claimedAgain(rows, wanted)],
      ['processes that ended', endedMeanwhile.join(', ') || 'none'],
      ...loops.figures(),
      ...memory.figures(),
    ],
    violations: [
      ...(after > MAX_SLOWER * before
        ? [
            {
              check: 'answers stay quick next to a hostile tenant',
              executionId: '',
              what: `p99 ${after.toFixed(0)} ms, ${before.toFixed(0)} ms without it`,
            },
          ]
        : []),
      ...loops.violations(),
      ...left.map(({ _id, state }) => ({ check: 'every run ends', executionId: _id, what: `still ${state}` })),
      ...endedMeanwhile.map((name) => ({ check: 'no process ends unexpectedly', executionId: '', what: name })),
      ...checkAnswers(wanted, (key) => createdAt.get(key)),
      ...checkRuns({ wanted, rows, sink: scene.sink, hadDeaths: false }),
    ],
  };
};

/** An ordinary tenant's load, first alone, then next to a hostile tenant; see docs/guides/chaos.md. */
export const hostileTenant = async (options: HostileTenantOptions): Promise<ScenarioResult> => {
  const scene = await openScene(STEADY_KINDS, options.report);
  try {
    return await run(scene, options);
  } finally {
    await scene.stop();
  }
};
