import { createVersionCache } from './version-cache';
import { readVersionFacts, type WorkflowVersion } from './workflow-version';

const versionOf = (versionId: string, bytes = 10): WorkflowVersion => ({
  versionId,
  workflowId: 'w',
  ownerId: 'o',
  definition: Buffer.from(JSON.stringify({ x: 'x'.repeat(bytes) })),
});

const counted = (maxBytes?: number, maxCount?: number) => {
  const fetched: string[] = [];
  const get = createVersionCache(
    (id) => {
      fetched.push(id);
      if (id === 'down') return Promise.reject(new Error('down'));
      return Promise.resolve(id === 'none' ? undefined : versionOf(id));
    },
    undefined,
    readVersionFacts,
    maxBytes,
    maxCount,
  );
  return { fetched, get };
};

describe('the cache of versions', () => {
  it('fetches a version once, however many request it at the same time and later', async () => {
    const { fetched, get } = counted();
    const all = await Promise.all([get('a'), get('a'), get('b')]);
    expect(all.map((known) => known?.version.versionId)).toEqual(['a', 'a', 'b']);
    await get('a');
    expect(fetched).toEqual(['a', 'b']);
  });

  it('caches neither a version that does not exist nor a failure', async () => {
    const { fetched, get } = counted();
    expect(await get('none')).toBeUndefined();
    expect(await get('none')).toBeUndefined();
    await expect(get('down')).rejects.toThrow('down');
    await expect(get('down')).rejects.toThrow('down');
    expect(fetched).toEqual(['none', 'none', 'down', 'down']);
  });

  it('drops the least recently used versions, by number and by bytes', async () => {
    for (const bounds of [
      [1_000_000, 2],
      [45, 100],
    ] as const) {
      const { fetched, get } = counted(...bounds);
      for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await get(id);
      expect(fetched).toEqual(['a', 'b', 'c', 'b']);
    }
  });
});
