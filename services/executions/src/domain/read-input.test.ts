import { Unsent } from '@weft/service-kit/errors';
import { JSON_LIMITS } from '@weft/service-kit/json';
import { readInput } from './read-input';

const MB = 1_000_000;

/** A list of so many bytes, which is soon parsed. */
const listOf = (bytes: number): Buffer => {
  const list = Buffer.alloc(bytes, ' ');
  list.write('[');
  list.write(']', bytes - 1);
  return list;
};

describe('long inputs', () => {
  it('of one owner are refused when 64 MiB of them wait for turns, and those of others are not', async () => {
    const read = (ownerId: string): Promise<unknown> =>
      readInput(listOf(10 * MB), { ownerId, workflowId: 'w' }, JSON_LIMITS, (value) => value);
    const flood = await Promise.allSettled([...Array.from({ length: 8 }, () => read('hostile')), read('healthy')]);
    expect(flood.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 6 }, () => 'fulfilled'),
      ...['rejected', 'rejected', 'fulfilled'],
    ]);
    expect(flood[6]).toMatchObject({ reason: expect.any(Unsent) });
    // What was read, or could not be, counts no longer.
    await expect(
      readInput(Buffer.from(`[${'x'.repeat(MB)}]`), { ownerId: 'hostile', workflowId: 'w' }, JSON_LIMITS, () => 1),
    ).rejects.toThrow('not valid JSON');
    expect(await Promise.all(Array.from({ length: 6 }, () => read('hostile')))).toHaveLength(6);
  });
});
