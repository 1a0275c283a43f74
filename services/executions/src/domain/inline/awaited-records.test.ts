import { createAwaitedRecords } from './awaited-records';
import type { ExecutionRecord } from '../state/execution';
import { MAX_INLINE_RUNS } from '../state/limits';
import { newExecution } from '../start/new-execution';
import { meets, operate } from '../state/operate';
import type { Outcome } from '../state/ports';
import { checkpointWrite, heartbeatWrite, persistWrite, reportWrite, respondWrite } from '../state/run-writes';
import type { Write } from '../state/write';
import { PLAIN_RUN } from '../testing/plain-run';

const NOW = new Date(1_700_000_000_000);
const RESPONSE = { statusCode: 200, headers: [], body: Buffer.from('hi') };

const running = (): ExecutionRecord => ({
  ...newExecution(PLAIN_RUN, NOW.getTime()),
  state: 'running',
  fence: 1,
});

const respond = respondWrite(1, RESPONSE);
const step = checkpointWrite(1, 1, {});
const endOf = (checkpoint: number, response?: typeof RESPONSE): Write =>
  reportWrite({ fence: 1, checkpoint, ...(response === undefined ? {} : { response }) }, {}, NOW, {
    ms: 1_000,
    isDefault: true,
  });

/** A store of one run, which this replica and another one write to. */
const setUp = () => {
  const records = createAwaitedRecords();
  let stored = running();
  const other = (_: string, write: Write): Promise<Outcome> => {
    if (!meets(stored, write)) return Promise.resolve({ outcome: 'fenced' });
    stored = operate(stored, write);
    return Promise.resolve({ outcome: 'applied' });
  };
  const apply = records.apply(other);
  return {
    records,
    first: stored,
    stored: () => stored,
    here: (write: Write) => apply(stored._id, write),
    elsewhere: (write: Write) => other(stored._id, write),
  };
};

describe('records of runs that callers wait for', () => {
  it.each([
    ['an end that gives the response', [endOf(0, RESPONSE)]],
    ['an end after a step', [step, endOf(1, RESPONSE)]],
    ['an end after heartbeats', [heartbeatWrite(1, NOW, 3_000), persistWrite(1), endOf(0, RESPONSE)]],
    ['a response', [respond]],
    ['an end after a response', [respond, endOf(0)]],
  ])('equal the stored ones, with %s', async (_, writes) => {
    const { records, first, here, stored } = setUp();
    records.keep(first);
    const outcomes = [];
    for (const write of writes) outcomes.push(await here(write));
    expect(outcomes.at(-1)).toEqual({ outcome: 'applied', record: stored() });
  });

  it('equal those of the store, except for the lease, which another replica may renew', async () => {
    const { records, first, here, elsewhere, stored } = setUp();
    records.keep(first);
    await elsewhere(heartbeatWrite(1, NOW, 3_000));
    const { record } = await here(endOf(0, RESPONSE));
    const { lease, actedFence, ...rest } = stored();
    expect([lease, actedFence]).not.toEqual([undefined, undefined]);
    expect(record).toEqual(rest);
  });

  it.each([
    ['a response', respond, endOf(0)],
    ['a step', step, endOf(1, RESPONSE)],
  ])('are not returned if another replica has stored %s', async (_, elsewhere, end) => {
    const set = setUp();
    set.records.keep(set.first);
    await set.elsewhere(elsewhere);
    expect(await set.here(end)).toEqual({ outcome: 'applied' });
  });

  it('are returned once, and not after a refused write', async () => {
    const { records, first, here } = setUp();
    records.keep(first);
    expect((await here(endOf(7))).outcome).toBe('fenced');
    expect(await here(endOf(0, RESPONSE))).toEqual({ outcome: 'applied' });
  });

  it('are limited in number', async () => {
    const { records, first, here } = setUp();
    records.keep(first);
    for (let index = 0; index < MAX_INLINE_RUNS; index += 1) records.keep(running());
    expect(await here(endOf(0, RESPONSE))).toEqual({ outcome: 'applied' });
  });

  it('are limited in bytes, so that large ones leave room for others', async () => {
    const { records, first, here } = setUp();
    records.keep(first);
    for (let index = 0; index < 257; index += 1) records.keep({ ...running(), input: Buffer.alloc(65_536) });
    expect(await here(endOf(0, RESPONSE))).toEqual({ outcome: 'applied' });
  });
});
