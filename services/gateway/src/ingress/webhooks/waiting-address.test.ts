import { ServiceError } from '@weft/service-kit/errors';
import { findOpenWait } from './waiting-address';

describe('guessed addresses of waiting runs', () => {
  const guess = async (client: string, count: number): Promise<number> => {
    const asked = new Map<string, number>();
    const findWait = async ({ resumeToken }: { readonly resumeToken: string }): Promise<never> => {
      asked.set(resumeToken, (asked.get(resumeToken) ?? 0) + 1);
      throw new ServiceError({
        reason: 'RESUME_TOKEN_UNKNOWN',
        kind: 'not-found',
        message: 'No execution waits here.',
      });
    };
    const calls = Array.from({ length: count }, (_, n) =>
      findOpenWait({ token: `${client}-${n}`, suffix: '', query: '' }, client, findWait),
    );
    const results = await Promise.allSettled(calls);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    return [...asked.values()].filter((times) => times > 1).length;
  };

  it('are looked up once, and again only for a few per client and a limited number in total', async () => {
    expect(await guess('192.0.2.66', 40)).toBe(5);
    const clients = Array.from({ length: 20 }, (_, n) => `192.0.2.${n}`);
    const again = await Promise.all(clients.map((client) => guess(client, 5)));
    expect(again.reduce((sum, count) => sum + count, 0)).toBe(50);
  });
});
