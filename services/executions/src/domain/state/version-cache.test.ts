import { createVersionCache } from './version-cache';
import { readVersionFacts, type WorkflowVersion } from './workflow-version';

const versionOf = (versionId: string, bytes = 10): WorkflowVersion => ({
  versionId,
  workflowId: 'w',
  ownerId: 'o',
  definition: Buffer.from(JSON.stringify({ x: 'x'.repeat(bytes) })),
});

const counted = (maxBytes?: number) => {
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
  );
  return { fetched, get };
};

describe('the cache of versions', () => {
  it('fetches a version once for concurrent and later requests', async () => {
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

  it('drops the least recently used versions that exceed the memory limit', async () => {
    const { fetched, get } = counted(2_500);
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await get(id);
    expect(fetched).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps ten thousand small ones', async () => {
    const { fetched, get } = counted();
    for (let n = 0; n < 20_000; n += 1) await get(`${n % 10_000}`);
    expect(fetched).toHaveLength(10_000);
  });
});
