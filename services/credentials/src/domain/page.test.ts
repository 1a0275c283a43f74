import { readPage } from './page';

const ids = ['e', 'd', 'c', 'b', 'a'].map((id) => ({ id }));
const read = (afterId: string | undefined, limit: number) =>
  Promise.resolve(ids.filter(({ id }) => afterId === undefined || id < afterId).slice(0, limit));

describe('readPage', () => {
  it('leads through all entries and says where the list ends', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await readPage(read, { limit: 2, cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  it('has no next page when the last one is exactly full', async () => {
    expect(await readPage(read, { limit: 5, cursor: '' })).toMatchObject({ items: ids, nextCursor: '' });
  });
});
