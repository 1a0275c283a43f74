import { memoryState } from '../../testing/memory-state';
import { type StateContext, updateState } from './update-state';

/** A node run next to another runner, which writes during every pause. */
const setUp = () => {
  const kept = memoryState();
  const { state } = kept;
  let others = 0;
  const writeOther = async (): Promise<void> => {
    const { version, valueJson } = await state.read('list');
    const list: unknown[] = JSON.parse(valueJson ?? '[]');
    others += 1;
    const write = { name: 'list', expectedVersion: version, operation: `other ${others}` };
    await state.write({ ...write, valueJson: JSON.stringify([...list, `other ${others}`]) });
  };
  const pauses: number[] = [];
  const context: StateContext = {
    signal: new AbortController().signal,
    ports: {
      persistentState: state,
      clock: {
        now: () => 0,
        sleep: async (ms) => {
          pauses.push(ms);
          await writeOther();
        },
      },
    },
  };
  const append = (of: StateContext, operation: string) =>
    updateState(of, 'list', (value) => ({
      result: undefined,
      write: { value: [...(Array.isArray(value) ? value : []), operation], operation },
    }));
  const list = (): unknown => JSON.parse(kept.values.get('list') ?? '[]');
  return { kept, context, writeOther, pauses, append, list };
};

describe('a change of persistent state', () => {
  it('takes one retry next to a runner that writes during every pause', async () => {
    const { kept, context, writeOther, pauses, append, list } = setUp();
    kept.beforeWrite = writeOther;
    await append(context, 'mine');
    expect(pauses).toHaveLength(1);
    expect(list()).toEqual(['other 1', 'other 2', 'mine']);
  });

  it('whose first answer was lost is made once', async () => {
    const { context, writeOther, pauses, append, list } = setUp();
    await append(context, 'mine');
    await writeOther();
    // The same operation as before, and the entry has changed since.
    await append(context, 'mine');
    expect(list()).toEqual(['mine', 'other 1']);
    expect(pauses).toEqual([]);
  });

  it('fails with what to do if other runs write first every time', async () => {
    const { kept, context, writeOther, append } = setUp();
    const writeFirst = async (): Promise<void> => {
      await writeOther();
      kept.beforeWrite = writeFirst;
    };
    kept.beforeWrite = writeFirst;
    await expect(append(context, 'mine')).rejects.toMatchObject({
      message: 'Other runs of this workflow keep changing its persistent state',
      description: 'Reduce the number of its concurrent runs, or run the node again.',
    });
  });
});
