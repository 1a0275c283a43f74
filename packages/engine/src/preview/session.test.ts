import type { Item } from '../items/items';
import type { PreviewExecution } from './previewer';
import type { FromWorker, ToWorker } from './protocol';
import { servePreviews } from './serve-previews';
import { PREVIEW_LIMITS, PreviewSession, type LoadItems } from './session';

const to = (name: string): object => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
const NAMES = ['Make', 'Pass', 'More', 'Show'];
const TEXT = JSON.stringify({
  name: 'Orders',
  nodes: NAMES.map((name, at) => ({ id: name, name, type: 'weft-nodes-base.noOp', position: [at, 0], parameters: {} })),
  connections: { Make: to('Pass'), Pass: to('More'), More: to('Show') },
});
const executionOf = (total: number): PreviewExecution => ({
  workflowId: 'w',
  workflowActive: false,
  executionId: `e${total}`,
  mode: 'manual',
  vars: {},
  defaultTimezone: 'UTC',
  runs: ['Make', 'Pass', 'More'].map((node, executionIndex) => ({
    node,
    run: 0,
    executionIndex,
    source: executionIndex === 0 ? [] : [{ previousNode: NAMES[executionIndex - 1] ?? '' }],
    items: [total],
    hasFailed: false,
  })),
});
const AT = { node: 'Show', sources: [{ previousNode: 'More' }], run: 0, item: 3 };
const itemOf = (id: number): Item => ({ json: { id }, pairedItem: { item: id } });

/** A worker in this thread; it never answers a question for a text with `hang`. */
const inThread = (started: { count: number }) => (receive: (message: FromWorker) => void) => {
  started.count += 1;
  let isStopped = false;
  const later = (message: FromWorker): void => {
    setImmediate(() => {
      if (!isStopped) receive(message);
    });
  };
  const serve = servePreviews(later);
  later({ kind: 'ready' });
  return {
    post: (message: ToWorker) => {
      if (message.kind === 'evaluate' && message.text.includes('hang')) return;
      serve(structuredClone(message));
    },
    stop: () => {
      isStopped = true;
    },
  };
};

const open = (total: number, change: Partial<{ loadItems: LoadItems; bytes: number; evaluationMs: number }> = {}) => {
  const started = { count: 0 };
  const loads: string[] = [];
  const loadItems: LoadItems =
    change.loadItems ??
    (async (_, { executionIndex }, offset, limit) => {
      loads.push(`${executionIndex}:${offset}+${limit}`);
      const count = Math.max(0, Math.min(limit, total - offset));
      return { items: Array.from({ length: count }, (__, at) => itemOf(offset + at)), bytes: change.bytes ?? 100 };
    });
  const session = new PreviewSession(
    { startWorker: inThread(started), loadItems },
    { ...PREVIEW_LIMITS, evaluationMs: change.evaluationMs ?? 30_000 },
  );
  session.setDefinition(TEXT);
  session.setExecution(executionOf(total));
  return { session, loads, started };
};

describe('a session of previews', () => {
  it('loads the page of the item, once for all fields', async () => {
    const { session, loads } = open(500);
    const outcomes = await Promise.all(
      ['={{ $json.id }}', '={{ $json.id + 1 }}'].map((text, at) => session.evaluate(`field ${at}`, text, AT)),
    );
    expect(outcomes).toMatchObject([{ value: { json: 3 } }, { value: { json: 4 } }]);
    expect(loads).toEqual(['2:0+50']);
  });

  it('loads the items that an item goes back to in one round', async () => {
    const { session, loads } = open(500);
    expect(await session.evaluate('a', "={{ $('Make').item.json.id }}", AT)).toMatchObject({ value: { json: 3 } });
    expect(loads).toEqual(['2:0+50', '1:0+50', '0:0+50']);
  });

  it('loads all items of an output if an expression reads them, within its limits', async () => {
    const small = open(300);
    expect(await small.session.evaluate('a', "={{ $('Make').all().map(i => i.json.id).sum() }}", AT)).toMatchObject({
      value: { json: 44_850 },
    });
    const large = open(300, { bytes: 1_500_000 });
    expect(await large.session.evaluate('a', "={{ $('Make').all().map(i => i.json.id).sum() }}", AT)).toEqual({
      kind: 'later',
      why: 'data',
    });
    const long = open(100_000);
    expect(await long.session.evaluate('a', "={{ $('Make').all().map(i => i.json.id).sum() }}", AT)).toEqual({
      kind: 'later',
      why: 'data',
    });
    expect(long.loads.length).toBeLessThan(10);
  });

  it('shows after a run what an item that is too long would give', async () => {
    const { session } = open(10, {
      loadItems: async () => ({ items: [itemOf(0), undefined, itemOf(2), undefined, itemOf(4)], bytes: 1 }),
    });
    expect(await session.evaluate('a', '={{ $json.id }}', AT)).toEqual({ kind: 'later', why: 'data' });
    expect(await session.evaluate('a', '={{ $json.id }}', { ...AT, item: 4 })).toMatchObject({ value: { json: 4 } });
  });

  it('says that data is not available, and tries again', async () => {
    let isBroken = true;
    const { session } = open(10, {
      loadItems: async () => {
        if (isBroken) throw new Error('away');
        return { items: [0, 1, 2, 3].map(itemOf), bytes: 1 };
      },
    });
    expect(await session.evaluate('a', '={{ $json.id }}', AT)).toEqual({ kind: 'later', why: 'unavailable' });
    isBroken = false;
    expect(await session.evaluate('a', '={{ $json.id }}', AT)).toMatchObject({ value: { json: 3 } });
  });

  it('replaces a worker that takes too long, and gives the next one what it needs', async () => {
    const { session, started, loads } = open(10, { evaluationMs: 1_000 });
    await session.evaluate('a', '={{ $json.id }}', AT);
    const [slow, next] = await Promise.all([
      session.evaluate('b', '={{ "hang" }}', AT),
      session.evaluate('c', '={{ $json.id * 2 }}', AT),
    ]);
    expect(slow).toEqual({ kind: 'later', why: 'time' });
    expect(next).toMatchObject({ value: { json: 6 } });
    expect(started.count).toBe(2);
    expect(loads).toHaveLength(1);
    expect(await session.evaluate('b', '={{ "hang" }}', AT)).toEqual({ kind: 'later', why: 'time' });
    expect(started.count).toBe(2);
  });

  it('answers only the latest request of a field', async () => {
    const { session } = open(10);
    const outcomes = await Promise.all(
      [1, 2, 3].map((number) => session.evaluate('a', `={{ $json.id + ${number} }}`, AT)),
    );
    expect(outcomes).toMatchObject([undefined, undefined, { value: { json: 6 } }]);
  });

  it('forgets the data of an execution when another one is chosen', async () => {
    const { session, loads } = open(10);
    await session.evaluate('a', '={{ $json.id }}', AT);
    session.setExecution({ ...executionOf(10), executionId: 'other' });
    await session.evaluate('a', '={{ $json.id }}', AT);
    expect(loads).toHaveLength(2);
  });

  it('completes with the names of items that it loads', async () => {
    const { session } = open(10);
    const outcome = await session.complete('={{ $json.', 10, AT);
    expect(outcome).toMatchObject({
      kind: 'options',
      options: expect.arrayContaining([expect.objectContaining({ name: 'id' })]),
    });
  });

  it('says so where no worker can run', async () => {
    const session = new PreviewSession({
      startWorker: (_, fail) => {
        setImmediate(fail);
        return { post: () => undefined, stop: () => undefined };
      },
      loadItems: async () => ({ items: [], bytes: 0 }),
    });
    session.setDefinition(TEXT);
    session.setExecution(executionOf(1));
    expect(await session.evaluate('a', '={{ 1 }}', AT)).toEqual({ kind: 'later', why: 'unavailable' });
    expect(await session.evaluate('a', '={{ 1 }}', AT)).toEqual({ kind: 'later', why: 'unavailable' });
  });
});
