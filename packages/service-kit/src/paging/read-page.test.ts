import { readPage, type Page, type PageSource } from './read-page';

const ids = ['e', 'd', 'c', 'b', 'a'].map((id) => ({ id }));
const source: PageSource<{ readonly id: string }> = {
  read: (afterId, limit) =>
    Promise.resolve(ids.filter(({ id }) => afterId === undefined || id < afterId).slice(0, limit)),
  idOf: ({ id }) => id,
};

const readAll = async (each: PageSource<{ readonly id: string }>, limit: number): Promise<string[][]> => {
  const pages: string[][] = [];
  let page: Page<{ readonly id: string }> | undefined;
  do {
    page = await readPage(each, { limit, cursor: page?.nextCursor ?? '' });
    pages.push(page.items.map(({ id }) => id));
  } while (page.nextCursor !== '');
  return pages;
};

describe('readPage', () => {
  it('leads through all entries and says where the list ends', async () => {
    expect(await readAll(source, 2)).toEqual([['e', 'd'], ['c', 'b'], ['a']]);
  });

  it('has no next page when the last one is exactly full', async () => {
    expect(await readPage(source, { limit: 5, cursor: '' })).toMatchObject({ items: ids, nextCursor: '' });
  });

  it('continues after the last entry of a page that was shortened', async () => {
    expect(await readAll({ ...source, fit: (items) => items.slice(0, 1) }, 4)).toEqual([
      ['e'],
      ['d'],
      ['c'],
      ['b'],
      ['a'],
    ]);
  });

  it('continues after stretches with few or no visible entries until the list ends', async () => {
    const stretches: PageSource<{ readonly id: string }> = {
      ...source,
      // Each stretch has two entries, of which `c` and `b` are hidden.
      read: async (afterId, limit) => {
        const found = await source.read(afterId, 2);
        const all = 'lastId' in found ? found.items : found;
        const items = all.filter(({ id }) => id !== 'c' && id !== 'b').slice(0, limit);
        const lastId = all.at(-1)?.id;
        return Promise.resolve(all.length < 2 || lastId === undefined ? items : { items, lastId });
      },
    };
    expect(await readAll(stretches, 3)).toEqual([['e', 'd'], [], ['a']]);
    expect(await readAll(stretches, 1)).toEqual([['e'], ['d'], ['a'], []]);
  });

  it('refuses a cursor made with other filters', async () => {
    const { nextCursor } = await readPage({ ...source, filters: { status: 'error' } }, { limit: 1, cursor: '' });
    await expect(readPage(source, { limit: 1, cursor: nextCursor })).rejects.toThrow('The cursor is invalid.');
  });
});
