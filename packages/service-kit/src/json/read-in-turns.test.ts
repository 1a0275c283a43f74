import { Unsent } from '../errors';
import { JSON_LIMITS } from './parse-json';
import { readInTurns } from './read-in-turns';

const MB = 1_000_000;

/** A list of so many bytes, which is soon parsed. */
const listOf = (bytes: number): Buffer => {
  const list = Buffer.alloc(bytes, ' ');
  list.write('[');
  list.write(']', bytes - 1);
  return list;
};

describe('long JSON that a service was sent', () => {
  it('is refused when 64 MiB of one owner wait for turns, and that of others is not', async () => {
    const read = (ownerId: string): Promise<unknown> =>
      readInTurns(listOf(10 * MB), { ownerId, workflowId: 'w' }, JSON_LIMITS, (value) => value);
    const flood = await Promise.allSettled([...Array.from({ length: 8 }, () => read('hostile')), read('healthy')]);
    expect(flood.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 6 }, () => 'fulfilled'),
      ...['rejected', 'rejected', 'fulfilled'],
    ]);
    expect(flood[6]).toMatchObject({ reason: expect.any(Unsent) });
    // What was read, or could not be, counts no longer.
    await expect(
      readInTurns(Buffer.from(`[${'x'.repeat(MB)}]`), { ownerId: 'hostile', workflowId: 'w' }, JSON_LIMITS, () => 1),
    ).rejects.toThrow('not valid JSON');
    expect(await Promise.all(Array.from({ length: 6 }, () => read('hostile')))).toHaveLength(6);
  });
});
