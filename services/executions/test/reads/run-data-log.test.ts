import { migrate } from '@weft/service-kit/mongo';
import { randomBytes } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import { uuidv7 } from '@weft/service-kit/ids';
import { createCheckpointExecution } from '../../src/domain/step/step-executions';
import type { ExecutionRecord } from '../../src/domain/state/execution';
import { newExecution } from '../../src/domain/start/new-execution';
import { createReportExecution } from '../../src/domain/step/report-executions';
import { runDataJson } from '../../src/domain/data/run-data-json';
import { eachStoredRun, readRecord } from '../../src/domain/data/run-records';
import { claimWrite, renewClaimWrite } from '../../src/domain/state/run-writes';
import type { LogSegment } from '../../src/domain/data/segment-log';
import type { SentNodeRun } from '../../src/domain/step/store-step';
import { SCHEMA } from '../../src/store/indexes';
import { openStore, type Store } from '../../src/store/open-store';
import { PLAIN_RUN } from '../../src/domain/testing/plain-run';

const nodeRun = (seq: number, record: Buffer, node = `N${seq % 3}`): SentNodeRun => ({
  node,
  run: Math.floor(seq / 3),
  executionIndex: seq,
  failed: false,
  record,
});

describe('the run data of an execution', () => {
  const name = uniqueName('run_data');
  let connection: Connection;
  let store: Store;
  let commands: string[] = [];
  beforeAll(async () => {
    connection = await mongoose.createConnection(testMongodbUri(), { dbName: name, monitorCommands: true }).asPromise();
    await migrate(connection, SCHEMA);
    store = openStore(connection, Date.now);
    connection
      .getClient()
      .on('commandStarted', ({ commandName, command }) =>
        commands.push(
          `${commandName} ` +
            `${String(command[commandName] === undefined ? '' : (command['collection'] ?? command[commandName]))}`,
        ),
      );
  });
  afterAll(async () => {
    await connection.close();
    await dropDatabase(name);
  });
  const ports = () => ({
    apply: store.apply,
    chunks: store.chunks,
    log: store.log,
    readTail: store.readTail,
    clock: Date.now,
    retentionMs: 0,
    getVersion: () => Promise.resolve(undefined),
  });
  const claimed = async (): Promise<string> => {
    const id = uuidv7();
    await store.insert(newExecution({ ...PLAIN_RUN, id }, Date.now()));
    await claim(id);
    return id;
  };
  const claim = async (id: string): Promise<void> => {
    const stamp = { claimId: uuidv7(), attempt: 0, runnerId: 'r', isolated: false, engineStateVersions: [1] };
    const [held] = await store.claim([id], {
      ...stamp,
      take: claimWrite(stamp, new Date(), 30_000),
      renew: renewClaimWrite(stamp, new Date(), 30_000),
    });
    if (held === undefined) throw new Error('The claim was refused.');
  };
  const read = async (id: string): Promise<ExecutionRecord> => {
    const record = await store.read(id);
    if (record === undefined) throw new Error('The execution was deleted.');
    return record;
  };
  const checkpoint = (
    executionId: string,
    number: number,
    nodeRuns: readonly SentNodeRun[],
    fence = 1,
    more: Partial<ReturnType<typeof ports>> = {},
  ) =>
    createCheckpointExecution({ ...ports(), ...more })({
      executionId,
      fence,
      checkpoint: number,
      nodeRuns,
      engineState: Buffer.from(`state ${number}`),
    });
  const recordsOf = async (id: string, skip = 0): Promise<string[]> => {
    const records: string[] = [];
    for await (const run of eachStoredRun(await read(id), ports(), skip))
      records.push((await readRecord(run)).toString());
    return records;
  };
  const counted = async <Result>(what: () => Promise<Result>): Promise<{ result: Result; calls: string[] }> => {
    commands = [];
    const result = await what();
    return { result, calls: commands.filter((command) => !/^(hello|ping|endSessions)/.test(command)) };
  };
  const segmentsOf = (executionId: string) =>
    connection.collection('executionSegments').find({ executionId }).sort({ _id: 1 }).toArray();

  it('of 10,000 node runs is written in few segments and read by one query after its document', async () => {
    const id = await claimed();
    const filler = Buffer.from(randomBytes(300).toString('hex'));
    const record = (seq: number): Buffer => Buffer.from(`{"seq":${seq},"filler":"${filler}"}`);
    const { calls } = await counted(async () => {
      for (let from = 0; from < 10_000; from += 50) {
        const outcome = await checkpoint(
          id,
          from / 50 + 1,
          Array.from({ length: 50 }, (_, n) => nodeRun(from + n, record(from + n))),
        );
        if (outcome !== 'applied') throw new Error(`The checkpoint was ${outcome}.`);
      }
    });
    // One write per checkpoint; sometimes a blocked one, a read of the document, a segment, and the write again.
    const inserts = calls.filter((call) => call.startsWith('insert')).length;
    expect(inserts).toBeLessThan(150);
    expect(calls.length).toBeLessThanOrEqual(200 + 5 * inserts);
    const stored = await read(id);
    expect(stored.nodeRunCount).toBe(10_000);
    expect(mongoose.mongo.BSON.calculateObjectSize(stored)).toBeLessThan(160 * 1024);

    const whole = await counted(async () => {
      const pieces: Buffer[] = [];
      for await (const piece of runDataJson(await read(id), ports())) pieces.push(piece);
      return Buffer.concat(pieces);
    });
    expect(whole.calls.filter((call) => call.startsWith('find'))).toEqual([
      'find executions',
      'find executionSegments',
    ]);
    expect(whole.calls.length).toBeLessThan(10);
    const { runData } = JSON.parse(whole.result.toString()).resultData;
    expect(
      ['N0', 'N1', 'N2']
        .map((node) => runData[node].map(({ seq }: { seq: number }) => seq))
        .flat()
        .sort((left, right) => left - right),
    ).toEqual(Array.from({ length: 10_000 }, (_, n) => n));

    const rest = await counted(() => recordsOf(id, 9_990));
    expect(rest.result).toEqual(Array.from({ length: 10 }, (_, n) => record(9_990 + n).toString()));
    expect(rest.calls.length).toBeLessThan(5);
  });

  it('costs a short run one write at its end, and one segment before it if its results are large', async () => {
    const report = (executionId: string, nodeRuns: readonly SentNodeRun[]) =>
      createReportExecution(ports())({ executionId, fence: 1, checkpoint: 0, nodeRuns, lastNode: 'N0' });
    const [small, large] = [await claimed(), await claimed()];
    const one = await counted(() => report(small, [nodeRun(0, Buffer.from('{"a":1}'))]));
    expect([one.result, one.calls]).toEqual(['applied', ['update executions']]);
    const two = await counted(() =>
      report(large, [nodeRun(0, Buffer.from(`"${randomBytes(100_000).toString('hex')}"`))]),
    );
    expect([two.result, two.calls]).toEqual(['applied', ['insert executionSegments', 'update executions']]);
    expect([await recordsOf(small), (await recordsOf(large)).map((text) => text.length)]).toEqual([
      ['{"a":1}'],
      [200_002],
    ]);
  });

  it('can be read node by node when larger than the cache of a reader', async () => {
    const id = await claimed();
    const noise = (): string => randomBytes(350_000).toString('hex');
    const records = Array.from({ length: 30 }, (_, seq) => `{"seq":${seq},"noise":"${noise()}"}`);
    for (const [seq, text] of records.entries()) await checkpoint(id, seq + 1, [nodeRun(seq, Buffer.from(text))]);
    const pieces: Buffer[] = [];
    for await (const piece of runDataJson(await read(id), ports())) pieces.push(piece);
    const expected = [0, 1, 2]
      .map((rest) => `"N${rest}":[${records.filter((_, seq) => seq % 3 === rest).join(',')}]`)
      .join(',');
    expect(Buffer.concat(pieces).toString() === `{"startData":{},"resultData":{"runData":{${expected}}}}`).toBe(true);
  });

  it('excludes a checkpoint whose segment was written before the process died', async () => {
    const id = await claimed();
    const big = (text: string): SentNodeRun =>
      nodeRun(0, Buffer.from(`"${text}${randomBytes(70_000).toString('hex')}"`));
    const dying = (): Promise<never> => Promise.reject(new Error('the process died'));
    await expect(checkpoint(id, 1, [big('lost')], 1, { apply: dying })).rejects.toThrow('died');
    expect(await segmentsOf(id)).toHaveLength(1);
    expect([(await read(id)).nodeRunCount, await recordsOf(id)]).toEqual([0, []]);
    expect(await checkpoint(id, 1, [big('kept')])).toBe('applied');
    expect((await recordsOf(id)).map((text) => text.slice(1, 5))).toEqual(['kept']);
    expect(await segmentsOf(id)).toHaveLength(2);
  });

  it('does not confuse a segment of a runner that lost its claim with one of the next runner', async () => {
    const id = await claimed();
    const big = (text: string): SentNodeRun =>
      nodeRun(1, Buffer.from(`"${text}${randomBytes(70_000).toString('hex')}"`));
    expect(await checkpoint(id, 1, [nodeRun(0, Buffer.from('"first"'))])).toBe('applied');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The old runner's segment is written late, and its document even later: the new one has stored a segment
    // meanwhile.
    let reached: () => void = () => undefined;
    const atPut = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const put = async (executionId: string, segments: readonly LogSegment[]): Promise<void> => {
      reached();
      await held;
      await store.log.put(executionId, segments);
    };
    const old = checkpoint(id, 2, [big('old')], 1, { log: { ...store.log, put } });
    await atPut;
    await connection
      .collection<{ _id: string }>('executions')
      .updateOne({ _id: id }, { $set: { state: 'queued' }, $unset: { claimId: '', lease: '' } });
    await claim(id);
    expect(await checkpoint(id, 2, [big('new')], 2)).toBe('applied');
    release();
    expect(await old).toBe('fenced');
    expect((await segmentsOf(id)).map(({ position }) => position)).toEqual([0, 0]);
    expect((await recordsOf(id)).map((text) => text.slice(1, 4))).toEqual(['fir', 'new']);
    expect((await read(id)).nodeRunCount).toBe(2);
  });

  it('is stored once when a checkpoint that moved it to the log is repeated, also concurrently', async () => {
    const id = await claimed();
    expect(await checkpoint(id, 1, [nodeRun(0, Buffer.from('"first"'))])).toBe('applied');
    const second = [nodeRun(1, Buffer.from(`"${randomBytes(70_000).toString('hex')}"`))];
    const outcomes = await Promise.all([checkpoint(id, 2, second), checkpoint(id, 2, second)]);
    expect(outcomes.sort()).toEqual(['applied', 'duplicate']);
    expect(await checkpoint(id, 2, second)).toBe('duplicate');
    expect([(await segmentsOf(id)).length, (await recordsOf(id)).length]).toEqual([1, 2]);
  });

  it('preserves every node run when the previous checkpoint is stored while the document is read', async () => {
    const id = await claimed();
    const readTail = async (executionId: string) => {
      const tail = await store.readTail(executionId);
      await checkpoint(id, 1, [nodeRun(0, Buffer.from('"first"'))]);
      return tail;
    };
    expect(
      await checkpoint(id, 2, [nodeRun(1, Buffer.from(`"${randomBytes(70_000).toString('hex')}"`))], 1, { readTail }),
    ).toBe('applied');
    expect((await recordsOf(id)).map((text) => text.length)).toEqual([7, 140_002]);
  });

  it('is reported as damaged when a segment is missing, instead of omitting node runs', async () => {
    const id = await claimed();
    await checkpoint(id, 1, [nodeRun(0, Buffer.from(`"${randomBytes(70_000).toString('hex')}"`))]);
    await connection.collection('executionSegments').deleteMany({ executionId: id });
    await expect(recordsOf(id)).rejects.toMatchObject({ reason: 'CHUNK_NOT_FOUND' });
  });
});
