import { createQueueBudget } from './queue-budget';
import type { QueuedRun, QueueRow } from './queue-ledger';

const MB = 1_000_000;

const budgetOf = (runs: number, options: { readonly bytes?: number; readonly ownerShare?: number } = {}) => {
  const state = { rows: [] as QueueRow[], isDown: false, now: 0, counts: 0, countMs: 0 };
  const count = (): Promise<readonly QueueRow[]> => {
    state.counts += 1;
    state.now += state.countMs;
    return state.isDown ? Promise.reject(new Error('down')) : Promise.resolve(state.rows);
  };
  const budget = createQueueBudget(
    count,
    { runs, bytes: options.bytes ?? 100 * MB, ownerShare: options.ownerShare ?? 80 },
    () => state.now,
    () => 0,
  );
  return { state, budget };
};
const outside = (ownerId = 'o', bytes = 0): QueuedRun => ({
  ownerId,
  workflowId: `${ownerId}-w`,
  mode: 'webhook',
  bytes,
});
const inside = (workflowId = 'child', ownerId = 'o', bytes = 0): QueuedRun => ({
  ownerId,
  workflowId,
  mode: 'integrated',
  bytes,
});
const rowOf = (run: QueuedRun, runs: number): QueueRow => ({
  ownerId: run.ownerId,
  workflowId: run.workflowId,
  mode: run.mode,
  runs,
  bytes: runs * run.bytes,
});

/** Number of starts admitted of this many concurrent ones. */
const letIn = async (budget: ReturnType<typeof budgetOf>['budget'], count: number, run: QueuedRun): Promise<number> =>
  (await Promise.allSettled(Array.from({ length: count }, () => budget.take(run)))).filter(
    ({ status }) => status === 'fulfilled',
  ).length;

describe('the budget of the queue', () => {
  it('refuses while the queue is full with a retry delay, and admits again afterwards', async () => {
    const { state, budget } = budgetOf(5, { ownerShare: 100 });
    state.rows = [rowOf(outside(), 5)];
    await expect(budget.take(outside())).rejects.toMatchObject({
      reason: 'QUEUE_FULL',
      kind: 'limited',
      retryAfterSeconds: 5,
    });
    state.rows = [rowOf(outside(), 4)];
    state.now = 200;
    await expect(budget.take(outside())).resolves.toBeDefined();
  });

  it('holds for a burst within a second, in executions and in bytes', async () => {
    expect(await letIn(budgetOf(50, { ownerShare: 100 }).budget, 500, outside())).toBe(50);
    expect(await letIn(budgetOf(50, { ownerShare: 100, bytes: 10 * MB }).budget, 500, outside('o', MB))).toBe(10);
  });

  it('accepts a start larger than the whole limit only if nothing else is queued', async () => {
    const { budget } = budgetOf(50, { bytes: MB });
    expect(await letIn(budget, 3, outside('o', 5 * MB))).toBe(1);
  });

  it('leaves room for other owners, however many external starts one owner makes', async () => {
    const { budget } = budgetOf(100);
    expect(await letIn(budget, 500, outside('flood'))).toBe(80);
    expect(await letIn(budget, 20, outside('other'))).toBe(20);
  });

  it(
    'leaves half of the capacity for external starts, and limits the starts by runs of an owner, and calls of ' +
      'a workflow',
    async () => {
      const { budget } = budgetOf(80);
      expect(await letIn(budget, 100, inside('one'))).toBe(10);
      expect(await letIn(budget, 100, inside('two'))).toBe(10);
      expect(await letIn(budget, 100, inside('three'))).toBe(0);
      expect(await letIn(budget, 100, inside('four', 'b'))).toBe(10);
      expect(await letIn(budget, 100, inside('five', 'b'))).toBe(10);
      expect(await letIn(budget, 100, inside('six', 'c'))).toBe(0);
      expect(await letIn(budget, 40, outside('c'))).toBe(40);
    },
  );

  it('includes starts that a count may have missed, until one has seen them', async () => {
    const { state, budget } = budgetOf(10, { ownerShare: 100 });
    const taken = await Promise.all(Array.from({ length: 10 }, () => budget.take(outside())));
    state.now = 5_000;
    expect(await letIn(budget, 1, outside())).toBe(0);
    taken.forEach(({ settle }) => settle());
    state.now = 10_000;
    expect(await letIn(budget, 1, outside())).toBe(1);
  });

  it('admits at once as many as left the queue here', async () => {
    const { budget } = budgetOf(10, { ownerShare: 100 });
    expect(await letIn(budget, 20, outside())).toBe(10);
    budget.left(
      Array.from({ length: 4 }, () => ({ ownerId: 'o', workflowId: 'o-w', mode: 'webhook' as const, generation: 0 })),
    );
    expect(await letIn(budget, 20, outside())).toBe(4);
  });

  it(
    'counts at most once a second while there is capacity, ten times a second without, and never for more ' +
      'than a tenth of the time',
    async () => {
      const { state, budget } = budgetOf(1_000);
      for (let n = 0; n < 100; n += 1) await budget.take(outside());
      state.now = 999;
      await budget.take(outside());
      expect(state.counts).toBe(1);
      state.rows = [rowOf(outside(), 1_000)];
      for (let n = 0; n < 1_000; n += 1) {
        state.now += 1;
        await budget.take(outside()).catch(() => undefined);
      }
      expect(state.counts).toBeLessThan(13);
      const before = state.counts;
      state.countMs = 500;
      for (let n = 0; n < 100; n += 1) {
        state.now += 100;
        await budget.take(outside()).catch(() => undefined);
      }
      expect(state.counts - before).toBeLessThan(5);
    },
  );

  it('refuses nothing when counting fails, since the insert will fail anyway', async () => {
    const { state, budget } = budgetOf(5);
    state.isDown = true;
    await expect(budget.take(outside())).resolves.toBeDefined();
  });

  it('counts again after the clock was set back', async () => {
    const { state, budget } = budgetOf(5);
    await budget.take(outside());
    state.now = -5_000;
    await budget.take(outside());
    expect(state.counts).toBe(2);
  });

  it('gives waiting starts a longer delay the more of them there are', async () => {
    const { state, budget } = budgetOf(8);
    state.rows = [rowOf(inside(), 8)];
    await letIn(budget, 1, inside());
    const few = budget.retryDelayMs();
    await letIn(budget, 500, inside());
    expect([few < 500, budget.retryDelayMs() > 4 * few, budget.retryDelayMs() <= 5_000]).toEqual([true, true, true]);
  });
});
