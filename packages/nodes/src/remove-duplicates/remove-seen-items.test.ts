import type { Json, JsonObject } from '@weft/node-catalogue';
import { memoryState, type MemoryState } from '../testing/memory-state';
import { runKind, type KindResult, type KindRun } from '../testing/cases/run-kind';

const ACROSS = { operation: 'removeItemsSeenInPreviousExecutions', dedupeValue: '={{ $json.id }}' };

/** Runs the node repeatedly, each time in a separate execution. */
class Runs {
  readonly kept: MemoryState = memoryState();
  #count = 0;

  run(items: readonly JsonObject[], parameters: JsonObject = {}, over: Partial<KindRun> = {}): Promise<KindResult> {
    this.#count += 1;
    return runKind('removeDuplicates', {
      version: 2,
      items,
      parameters: { ...ACROSS, ...parameters },
      kept: this.kept,
      executionId: `e${this.#count}`,
      mode: 'trigger',
      ...over,
    });
  }

  /** Ids by output: kept, discarded. */
  async ids(
    ids: readonly Json[],
    parameters: JsonObject = {},
    over: Partial<KindRun> = {},
  ): Promise<(Json | undefined)[][]> {
    const { outputs, error } = await this.run(
      ids.map((id) => ({ id })),
      parameters,
      over,
    );
    if (error !== undefined) throw new Error(error.message);
    return outputs.map((list) =>
      list.map((item) => (item !== null && typeof item === 'object' && !Array.isArray(item) ? item['id'] : item)),
    );
  }
}

describe('values seen in earlier runs', () => {
  it('are discarded, and new ones pass, linked to their input', async () => {
    const runs = new Runs();
    expect(await runs.ids([1, 2])).toEqual([[1, 2], []]);
    expect(await runs.ids([2, 3, 1, 4])).toEqual([
      [3, 4],
      [2, 1],
    ]);
    const { items } = await runs.run([{ id: 4 }, { id: 5 }]);
    expect(items.map((list) => list.map(({ pairedItem }) => pairedItem))).toEqual([[{ item: 1 }], [{ item: 0 }]]);
  });

  it('are recorded in manual runs as well', async () => {
    const runs = new Runs();
    await runs.ids([1], {}, { mode: 'manual' });
    expect(await runs.ids([1, 2], {}, { mode: 'manual' })).toEqual([[2], [1]]);
  });

  it('do not include values of the same run, which are all new', async () => {
    const runs = new Runs();
    expect(await runs.ids([7, 7, 8])).toEqual([[7, 7, 8], []]);
    expect(await runs.ids([7, 7, 9])).toEqual([[9], [7, 7]]);
  });

  it('are those of the node, or of all nodes of the workflow with workflow scope', async () => {
    const runs = new Runs();
    const workflow = { options: { scope: 'workflow' } };
    await runs.ids([1]);
    expect(await runs.ids([1], workflow)).toEqual([[1], []]);
    expect(await runs.ids([1, 2], workflow)).toEqual([[2], [1]]);
    expect(await runs.ids([2])).toEqual([[2], []]);
  });

  it('expire, the oldest first, when the history is full', async () => {
    const runs = new Runs();
    const small = { options: { historySize: 3 } };
    await runs.ids([1, 2], small);
    const { record } = await runs.run([{ id: 3 }, { id: 4 }], small);
    expect(record?.console?.[0]).toContain('3 of at most 3');
    expect(await runs.ids([1, 2, 3, 4], small)).toEqual([[1], [2, 3, 4]]);
  });

  it('are distinguished by their string form, whatever their type', async () => {
    const runs = new Runs();
    expect(await runs.ids([1, 'a', { b: 1 }])).toEqual([[1, 'a', { b: 1 }], []]);
    expect(await runs.ids(['1', 'A', { b: 1 }, { b: 2 }])).toEqual([
      ['A', { b: 2 }],
      ['1', { b: 1 }],
    ]);
  });

  it('are still new to a node run that is repeated after a crash, and to no other', async () => {
    const runs = new Runs();
    await runs.ids([1], {}, { executionId: 'before' });
    const crashed = { executionId: 'crashed' };
    expect(await runs.ids([1, 2, 3], {}, crashed)).toEqual([[2, 3], [1]]);
    await runs.ids([3, 4], {}, { executionId: 'meanwhile' });
    // The input differs slightly: 5 is new, 4 was seen by the other run.
    expect(await runs.ids([1, 2, 3, 4, 5], {}, crashed)).toEqual([
      [2, 3, 5],
      [1, 4],
    ]);
    expect(await runs.ids([1, 2, 3, 4, 5], {}, crashed)).toEqual([
      [2, 3, 5],
      [1, 4],
    ]);
    expect(await runs.ids([2, 5, 6], {}, { executionId: 'after' })).toEqual([[6], [2, 5]]);
  });

  it('are new to one of two racing runs, never to both and never to none', async () => {
    const runs = new Runs();
    runs.kept.beforeWrite = async () => {
      expect(await runs.ids([2, 3], {}, { executionId: 'quicker' })).toEqual([[2, 3], []]);
    };
    expect(await runs.ids([1, 2], {}, { executionId: 'slower' })).toEqual([[1], [2]]);
    expect(await runs.ids([1, 2, 3, 4])).toEqual([[4], [1, 2, 3]]);
  });
});

describe.each([
  ['removeItemsUpToStoredIncrementalKey', 'incrementalDedupeValue', 1, 5, 9, 'not a number'],
  ['removeItemsUpToStoredDate', 'dateDedupeValue', '2024-01-01', '2024-02-01T10:00:00Z', '2024-03-01', 'not a date'],
])('%s', (logic, parameter, low, middle, high, error) => {
  const parameters = { logic, [parameter]: '={{ $json.id }}' };

  it('passes values greater than all of earlier runs', async () => {
    const runs = new Runs();
    expect(await runs.ids([middle, low], parameters)).toEqual([[middle, low], []]);
    expect(await runs.ids([low, high, middle], parameters)).toEqual([[high], [low, middle]]);
    expect(await runs.ids([high], parameters)).toEqual([[], [high]]);
  });

  it('outputs the same when it runs again after a crash', async () => {
    const runs = new Runs();
    await runs.ids([low], parameters, { executionId: 'before' });
    const crashed = { executionId: 'crashed' };
    expect(await runs.ids([low, middle], parameters, crashed)).toEqual([[middle], [low]]);
    await runs.ids([high], parameters, { executionId: 'meanwhile' });
    expect(await runs.ids([low, middle], parameters, crashed)).toEqual([[middle], [low]]);
    expect(await runs.ids([middle, high], parameters)).toEqual([[], [middle, high]]);
  });

  it('rejects values it cannot compare, or outputs them as errors if it continues', async () => {
    const items = [{ id: low }, { id: 'x' }];
    expect((await new Runs().run(items, parameters)).error?.message).toContain(error);
    const { outputs } = await new Runs().run(items, parameters, { node: { onError: 'continueRegularOutput' } });
    expect(outputs).toEqual([[{ id: low }, { error: expect.stringContaining(error) }], []]);
  });

  it('rejects a history of another logic until it is cleared', async () => {
    const runs = new Runs();
    await runs.ids([low]);
    expect((await runs.run([{ id: low }], parameters)).error).toMatchObject({
      message: 'The history was stored with another logic',
    });
    await runs.run([{}], { operation: 'clearDeduplicationHistory' });
    expect(await runs.ids([low], parameters)).toEqual([[low], []]);
  });
});

describe('clearDeduplicationHistory', () => {
  it('clears the history of its scope, and passes its items on', async () => {
    const runs = new Runs();
    const workflow = { options: { scope: 'workflow' } };
    await runs.ids([1]);
    await runs.ids([1], workflow);
    expect(await runs.ids([5, 6], { operation: 'clearDeduplicationHistory', mode: 'cleanDatabase' })).toEqual([[5, 6]]);
    expect(await runs.ids([1])).toEqual([[1], []]);
    expect(await runs.ids([1], workflow)).toEqual([[], [1]]);
  });

  it('clears nothing when it runs again after a crash', async () => {
    const runs = new Runs();
    const clear = () => runs.ids([0], { operation: 'clearDeduplicationHistory' }, { executionId: 'crashed' });
    await runs.ids([1]);
    await clear();
    await runs.ids([2]);
    expect(await clear()).toEqual([[0]]);
    expect(await runs.ids([1, 2])).toEqual([[1], [2]]);
  });
});
