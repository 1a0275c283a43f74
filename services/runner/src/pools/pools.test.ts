import { duplexPair, PassThrough, type Duplex } from 'node:stream';
import type { CodeAnswer, CodeJob, TaskAnswer, TaskJob } from '@weft/sandbox';
import { bytesOf } from '@weft/sandbox';
import { until } from '@weft/service-kit/testing';
import type { RunnerPools } from './open-pools';
import { encodeMessage } from './pool-messages';
import { createRemotePools } from './remote-pools';
import { servePools } from './serve-pools';

interface Begun {
  readonly owner: string;
  readonly work: string;
  readonly signal: AbortSignal;
  readonly input: CodeJob['input'] | TaskJob['input'];
  readonly settle: (answer: 'done' | 'stopped') => void;
}

/** Pools whose runs a test ends, with their input as the result. */
const openPools = (): RunnerPools & { readonly begun: Begun[] } => {
  const begun: Begun[] = [];
  const begin = async (
    owner: string,
    work: string,
    { input, signal }: Pick<Begun, 'input' | 'signal'>,
  ): Promise<Uint8Array | undefined> => {
    const ended = new Promise<'done' | 'stopped'>((settle) => begun.push({ owner, work, signal, input, settle }));
    return (await ended) === 'done' ? bytesOf(input) : undefined;
  };
  return {
    begun,
    code: {
      of: (owner) => ({
        run: async (job): Promise<CodeAnswer> => {
          const report = await begin(owner, job.language === 'python' ? `python ${job.code}` : job.code, job);
          return report === undefined
            ? { kind: 'stopped', reason: 'time', console: ['a line'] }
            : { kind: 'result', report, console: ['a line'] };
        },
      }),
    },
    formats: {
      of: (owner) => ({
        run: async (job): Promise<TaskAnswer> => {
          const result = await begin(owner, job.kind, job);
          return result === undefined ? { kind: 'stopped', reason: 'busy' } : { kind: 'result', result };
        },
      }),
    },
  };
};

const connect = (
  pools: RunnerPools,
): { readonly remote: RunnerPools; readonly child: Duplex; readonly served: Duplex } => {
  const [child, served] = duplexPair();
  servePools(pools, served);
  return { remote: createRemotePools(child, GONE_MS), child, served };
};

const { signal } = new AbortController();
const MIB = 1024 * 1024;

const GONE_MS = 50;

describe('the pools of a runner, used by a child process', () => {
  it('run code and tasks for their owner, and return the results', async () => {
    const pools = openPools();
    const { remote } = connect(pools);
    const code = remote.code.of('a').run({ code: 'x => x', input: '["ä"]', signal });
    const task = remote.formats.of('b').run({ kind: 'readCsv', input: Buffer.from('1,2'), signal });
    await until('both to have begun', () => pools.begun.length === 2);
    expect(pools.begun.map(({ owner, work }) => [owner, work])).toEqual([
      ['a', 'x => x'],
      ['b', 'readCsv'],
    ]);
    for (const { settle } of pools.begun) settle('done');
    expect(await code).toEqual({ kind: 'result', report: Buffer.from('["ä"]'), console: ['a line'] });
    expect(await task).toEqual({ kind: 'result', result: Buffer.from('1,2') });
  });

  it('run code in the language in which it is written', async () => {
    const pools = openPools();
    const { remote } = connect(pools);
    void remote.code.of('a').run({ code: 'return 1', language: 'python', input: '', signal });
    void remote.code.of('a').run({ code: 'x => x', language: 'javaScript', input: '', signal });
    await until('both to have begun', () => pools.begun.length === 2);
    expect(pools.begun.map(({ work }) => work)).toEqual(['python return 1', 'x => x']);
  });

  it('report why there is no result', async () => {
    const pools = openPools();
    const { remote } = connect(pools);
    const both = [
      remote.code.of('a').run({ code: 'x', input: '', signal }),
      remote.formats.of('a').run({ kind: 'x', input: Buffer.alloc(0), signal }),
    ];
    await until('both to have begun', () => pools.begun.length === 2);
    for (const { settle } of pools.begun) settle('stopped');
    expect(await Promise.all(both)).toEqual([
      { kind: 'stopped', reason: 'time', console: ['a line'] },
      { kind: 'stopped', reason: 'busy' },
    ]);
  });

  it('receive a large input once there is a process for it, and not before', async () => {
    const pools = openPools();
    const { remote, served } = connect(pools);
    let received = 0;
    served.on('data', (piece: Buffer) => {
      received += piece.length;
    });
    const input = Buffer.alloc(5 * MIB, 'x');
    const run = remote.formats.of('a').run({ kind: 'readPdf', input, signal });
    await until('it to have begun', () => pools.begun.length === 1);
    expect(received).toBeLessThan(1_000);
    pools.begun[0]?.settle('done');
    const answer = await run;
    expect(answer.kind === 'result' && Buffer.from(answer.result).equals(input)).toBe(true);
    expect(received).toBeGreaterThan(5 * MIB);
  });

  it('reject an input above the limit, and stay open', async () => {
    const pools = openPools();
    const { remote } = connect(pools);
    const run = remote.formats.of('a').run({ kind: 'x', input: new Uint8Array(64 * MIB + 1), signal });
    expect(await run).toEqual({ kind: 'stopped', reason: 'input' });
    expect(await remote.code.of('a').run({ code: 'x'.repeat(1e6), input: '', signal })).toMatchObject({
      reason: 'input',
    });
    expect(pools.begun).toEqual([]);
  });

  it('end a cancelled run', async () => {
    const pools = openPools();
    const { remote } = connect(pools);
    const abort = new AbortController();
    void remote.code.of('a').run({ code: 'x', input: '', signal: abort.signal });
    await until('it to have begun', () => pools.begun.length === 1);
    expect(pools.begun[0]?.signal.aborted).toBe(false);
    abort.abort();
    await until('the end', () => pools.begun[0]?.signal.aborted === true);
  });

  it('end the runs of a process that dies, and no others', async () => {
    const pools = openPools();
    const [dying, healthy] = [connect(pools), connect(pools)];
    void dying.remote.code.of('a').run({ code: 'dying', input: '', signal });
    const other = healthy.remote.code.of('a').run({ code: 'healthy', input: '1', signal });
    await until('both to have begun', () => pools.begun.length === 2);
    dying.served.destroy();
    await until('its end', () => pools.begun.find(({ work }) => work === 'dying')?.signal.aborted === true);
    const left = pools.begun.find(({ work }) => work === 'healthy');
    expect(left?.signal.aborted).toBe(false);
    left?.settle('done');
    expect(await other).toMatchObject({ kind: 'result' });
  });

  it('respond to runs of a child process whose runner has stopped', async () => {
    const { remote, child } = connect(openPools());
    const run = remote.code.of('a').run({ code: 'x', input: '', signal });
    child.destroy();
    expect(await run).toMatchObject({ reason: 'closed' });
    expect(await remote.code.of('a').run({ code: 'x', input: '', signal })).toMatchObject({ reason: 'closed' });
  });

  it('fail no run of a child process whose runner has stopped, as it is released then', async () => {
    const remote = createRemotePools(new PassThrough().destroy());
    const release = new AbortController();
    const run = remote.code.of('a').run({ code: 'x', input: '', signal: release.signal });
    release.abort();
    expect(await run).toMatchObject({ reason: 'aborted' });
  });

  it('refuse requests of one process beyond its share, and accept them from others', async () => {
    const pools = openPools();
    const [greedy, modest] = [connect(pools), connect(pools)];
    const input = 'x'.repeat(30_000);
    const asked = Array.from({ length: 200 }, () => greedy.remote.code.of('a').run({ code: 'x', input, signal }));
    const refused = await Promise.race(asked);
    expect(refused).toMatchObject({ reason: 'busy' });
    await until('the others to have begun', () => pools.begun.length === 128);
    void modest.remote.code.of('b').run({ code: 'x', input: '', signal });
    await until('it to have begun', () => pools.begun.at(-1)?.owner === 'b');
  });

  it.each([
    ['something else', [Buffer.from('GET / HTTP/1.1\r\n\r\n')]],
    ['an empty frame', [Buffer.from([0, 0, 0, 1, 1])]],
    ['a frame that is too large', [Buffer.from([255, 255, 255, 255, 1])]],
    ['an answer', encodeMessage({ kind: 'answer', id: 1, console: [] })],
    ['the same run twice', [1, 1].flatMap((id) => askFor(id))],
  ])('cut a process off that sends %s', async (_, pieces) => {
    const pools = openPools();
    const [child, served] = duplexPair();
    servePools(pools, served);
    child.on('error', () => undefined);
    for (const piece of pieces) child.write(piece);
    await until('the end', () => served.destroyed);
    for (const begun of pools.begun) expect(begun.signal.aborted).toBe(true);
  });
});

function askFor(id: number): Uint8Array[] {
  return encodeMessage({ kind: 'ask', id, pool: 'code', owner: 'a', work: 'x', isHere: true });
}
