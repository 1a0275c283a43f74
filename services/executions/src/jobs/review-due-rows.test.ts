import type { Share } from '../domain/read/sweep-ports';
import { createReviewDueRows } from './purge-expired';

const shareOf = (isMine: boolean): Share => ({ count: () => 3, isMine: () => isMine });

describe('the review of rows without an execution', () => {
  it('is done by one replica only, and the others read nothing', async () => {
    const reviewed: number[] = [];
    const review = async (_: Date, most: number): Promise<number> => {
      reviewed.push(most);
      return 0;
    };
    const replicas = [true, false, false].map((isMine) => createReviewDueRows([review], shareOf(isMine), () => 0));
    for (const turn of replicas) expect(await turn()).toBe(false);
    expect(reviewed).toHaveLength(1);
  });

  it('continues at once after a full page, so that a million rows do not take a million passes', async () => {
    let left = 450;
    const review = async (_: Date, most: number): Promise<number> => {
      const taken = Math.min(left, most);
      left -= taken;
      return taken;
    };
    const turn = createReviewDueRows([review], shareOf(true), () => 0);
    expect([await turn(), await turn(), await turn()]).toEqual([true, true, false]);
    expect(left).toBe(0);
  });
});
