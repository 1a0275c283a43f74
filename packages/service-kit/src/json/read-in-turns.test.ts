import { Unsent } from '../errors';
import { JSON_LIMITS } from './parse-json';
import { readInTurns } from './read-in-turns';

const MB = 1_000_000;

/** A list of this many bytes that parses quickly. */
const listOf = (bytes: number): Buffer => {
  const list = Buffer.alloc(bytes, ' ');
  list.write('[');
  list.write(']', bytes - 1);
  return list;
};

describe('long JSON in a request', () => {
  it('is refused while 64 MiB of the same owner wait, and accepted from others', async () => {
    const read = (ownerId: string): Promise<unknown> =>
      readInTurns(listOf(10 * MB), { ownerId, workflowId: 'w' }, JSON_LIMITS, (value) => value);
    const flood = await Promise.allSettled([...Array.from({ length: 8 }, () => read('hostile')), read('healthy')]);
    expect(flood.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 6 }, () => 'fulfilled'),
      ...['rejected', 'rejected', 'fulfilled'],
    ]);
    expect(flood[6]).toMatchObject({ reason: expect.any(Unsent) });
    // Text that was read or failed to parse no longer counts.
    await expect(
      readInTurns(Buffer.from(`[${'x'.repeat(MB)}]`), { ownerId: 'hostile', workflowId: 'w' }, JSON_LIMITS, () => 1),
    ).rejects.toThrow('not valid JSON');
    expect(await Promise.all(Array.from({ length: 6 }, () => read('hostile')))).toHaveLength(6);
  });
});
