import type { Kind } from '../../load/kind';
import { chain, node, set, webhook } from '../../load/workflow-file';
import { checkRuns, clientKeyOf } from '../check-runs';
import type { CrowdRequest, Reply } from '../tenants/crowd';
import { spread, type ScenarioResult } from '../scenario-result';
import { keepRate } from '../keep-rate';
import { openScene, type Scene } from '../scene';
import { startAttackers } from '../tenants/start-attackers';
import { firstAnswerMs, startRun, type Wanted } from '../start-run';
import { GUESS_NAMES } from './stranger-requests';
import { SENDER_NAMES } from './stranger-senders';
import { STREAMER_NAMES } from './stranger-streams';
import { watchEnds } from '../watch-ends';
import { watchMemory } from '../watch-memory';

/** Options of the scenario. */
export interface StrangersOptions {
  readonly minutes: number;
  readonly report: (line: string) => void;
}

const PER_SECOND = 20;
const ALONE_MS = 5_000;
const SETTLE_MS = 60_000;
const total = set('Total', 'total', '={{ $json.n + 1 }}');
const body = (n: number): unknown => ({ n });

/** Started with the key. */
const STARTED: Kind = {
  name: 'started',
  weight: 1,
  start: { by: 'execute' },
  effects: 0,
  body,
  build: () => chain('started', [node('Start', 'manualTrigger', 1), total], false),
};

/** The webhook that only strangers call. */
const PLAIN: Kind = {
  name: 'plain',
  weight: 0,
  start: { by: 'webhook' },
  effects: 0,
  body,
  build: () => chain('plain', [webhook('plain', 'onReceived')], true),
};

/** A read that the key's client makes in addition to starts. */
interface Read {
  readonly path: string;
  readonly reply: Reply;
}

/** The load of the key: starts and reads in turn. */
interface KeyLoad {
  readonly starts: Wanted[];
  readonly reads: Read[];
}

const READS = ['/api/v1/workflows?limit=10', '/api/v1/executions?limit=10', '/api/v1/credentials?limit=10'];

const keyLoad = async ({ ingress }: Scene, prefix: string, forMs: number): Promise<KeyLoad> => {
  const load: KeyLoad = { starts: [], reads: [] };
  const until = Date.now() + forMs;
  const read = async (index: number): Promise<void> => {
    const path = READS[index % READS.length] ?? '';
    const request: CrowdRequest = { method: 'GET', path, body: '', headers: { 'x-svc-api-key': ingress.apiKey } };
    load.reads.push({ path, reply: await ingress.crowd.send(request) });
  };
  await keepRate({
    perSecond: PER_SECOND,
    most: 1_000,
    isOver: () => Date.now() > until,
    send: async (index) => {
      if (index % 2 === 0) await read(index / 2);
      else load.starts.push(await startRun(STARTED, index, `${prefix}-${index}`, ingress));
    },
  });
  return load;
};

const timesOf = ({ starts, reads }: KeyLoad): number[] => [
  ...starts.map(firstAnswerMs),
  ...reads.map(({ reply }) => reply.doneAt - reply.sentAt),
];

const shown = (reply: Reply): string =>
  reply.kind === 'broken' ? reply.what : `${reply.status} ${reply.text.slice(0, 160)}`;

/** Every answer but success, with its request. */
const refusedOf = ({ starts, reads }: KeyLoad): string[] =>
  [
    ...starts.flatMap(({ key, replies }) => replies.map((reply) => ({ what: key, reply }))),
    ...reads.map(({ path, reply }) => ({ what: path, reply })),
  ]
    .filter(({ reply }) => reply.kind === 'broken' || reply.status >= 400)
    .map(({ what, reply }) => `${what}: ${shown(reply)}`);

/** Outcomes that no stranger may have: anything but a refusal. Health watches are open to everyone. */
const isWrong = (name: string): boolean => /: (2\d\d|500|gRPC (0|2|13))$/.test(name) && !name.startsWith('watch');

/** Kinds of strangers without any outcome: the scenario has shown nothing about them. */
const idleIn = (counts: Readonly<Record<string, number>>): string[] =>
  [...GUESS_NAMES, ...SENDER_NAMES, ...STREAMER_NAMES].filter(
    (kind) => !Object.keys(counts).some((name) => name.startsWith(`${kind}: `)),
  );

/** Outcomes of strangers who reach a limit. If one is missing, its limit does not work or was not reached. */
const AT_LIMITS: readonly string[] = [
  // The memory for bodies of webhooks, and bodies that stop arriving.
  'unfinished body: 503',
  'unfinished sign-in: 408',
  // Messages and calls of an unauthenticated connection.
  '15 MB message for health: gRPC 8',
  'watch of health: gRPC 14',
];

const unreachedIn = (counts: Readonly<Record<string, number>>): string[] =>
  AT_LIMITS.filter((name) => (counts[name] ?? 0) === 0);

const outcomes = (counts: Readonly<Record<string, number>>, kind: string): string =>
  Object.entries(counts)
    .filter(([name]) => name.startsWith(`${kind}: `))
    .sort()
    .map(([name, count]) => `${name.slice(kind.length + 2)}: ${count}`)
    .join(', ');

const run = async (scene: Scene, { minutes, report }: StrangersOptions): Promise<ScenarioResult> => {
  report(`a key alone, ${PER_SECOND} requests a second ...`);
  const alone = await keyLoad(scene, 'alone', ALONE_MS);
  const memory = watchMemory(scene.environment.stack, scene.limits);
  const ended = watchEnds(scene.environment.stack);
  report('adding strangers ...');
  const strangers = await startAttackers('strangers/strangers-main', scene.environment.stack);
  const beside = await keyLoad(scene, 'beside', minutes * 60_000);
  const counts = await strangers.stop();
  const endedMeanwhile = ended();
  await scene.settle(SETTLE_MS);
  memory.stop();
  const rows = (await scene.rows()).filter((row) => /^(alone|beside)-/.test(clientKeyOf(row)));
  const refused = refusedOf(beside);
  const wrong = Object.entries(counts).filter(([name]) => isWrong(name));
  const say = (check: string, what: string) => ({ check, executionId: '', what });
  return {
    scenario: 'strangers',
    figures: [
      ['requests of the key', `${timesOf(beside).length} next to strangers, ${timesOf(alone).length} before`],
      ['refused', String(refused.length)],
      ['answered before', spread(timesOf(alone))],
      ['answered next to strangers', spread(timesOf(beside))],
      ...[...GUESS_NAMES, ...SENDER_NAMES, ...STREAMER_NAMES].map((kind): [string, string] => [
        kind,
        outcomes(counts, kind),
      ]),
      ['processes that ended', endedMeanwhile.join(', ') || 'none'],
      ...memory.figures(),
    ],
    violations: [
      ...memory.violations(),
      ...endedMeanwhile.map((name) => say('no process ends unexpectedly', name)),
      ...refused.map((what) => say('no request of the key is refused', what)),
      ...wrong.map(([name, count]) => say('strangers are refused', `${name} (${count})`)),
      ...idleIn(counts).map((kind) => say('strangers of every kind are answered', `${kind}: no outcome`)),
      ...unreachedIn(counts).map((name) => say('strangers are held by limits', `${name}: never`)),
      ...checkRuns({ wanted: [...alone.starts, ...beside.starts], rows, sink: scene.sink, hadDeaths: false }),
    ],
  };
};

/** Strangers at full rate next to a key; see docs/guides/chaos.md. */
export const strangers = async (options: StrangersOptions): Promise<ScenarioResult> => {
  const scene = await openScene([STARTED, PLAIN], options.report);
  try {
    return await run(scene, options);
  } finally {
    await scene.stop();
  }
};
