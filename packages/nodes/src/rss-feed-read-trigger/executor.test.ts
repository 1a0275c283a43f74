import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { type LocalServer, serveHttp } from '@weft/outbound/testing';
import { memoryState } from '../testing/memory-state';
import { runKind } from '../testing/cases/run-kind';

const START = Date.parse('2024-01-01T00:00:00Z');
const MINUTE = 60_000;

interface Entry {
  readonly id: string;
  /** Minutes after the start; absent: no date. */
  readonly at?: number;
}

const dateOf = ({ at }: Entry): string =>
  at === undefined ? '' : `<pubDate>${new Date(START + at * MINUTE).toUTCString()}</pubDate>`;

const feedOf = (entries: readonly Entry[]): string => {
  const items = entries.map((entry) => `<item><guid>${entry.id}</guid>${dateOf(entry)}</item>`);
  return `<rss version="2.0"><channel>${items.join('')}</channel></rss>`;
};

/** A workflow that polls a feed of the test. */
class Polls {
  readonly kept = memoryState();
  path = '/healthy';
  #runs = 0;

  constructor(
    private readonly server: LocalServer,
    private readonly client: OutboundClient,
  ) {}

  run(minute: number, executionId = `e${(this.#runs += 1)}`) {
    return runKind('rssFeedReadTrigger', {
      isStart: true,
      mode: 'trigger',
      now: START + minute * MINUTE,
      executionId,
      http: this.client,
      kept: this.kept,
      parameters: { feedUrl: `${this.server.url}${this.path}` },
    });
  }

  /** A run whose result was stored. */
  async ids(minute: number, executionId?: string) {
    const { outputs, error } = await this.run(minute, executionId);
    if (error !== undefined) throw new Error(error.message);
    this.kept.firstResults.set(executionId ?? `e${this.#runs}`, 'stored');
    return (outputs[0] ?? []).map((json) => (json instanceof Object && 'guid' in json ? json['guid'] : json));
  }
}

describe('the feed trigger', () => {
  let server: LocalServer;
  let client: OutboundClient;
  let entries: readonly Entry[];
  let status = 200;
  let asked = 0;
  let onAsked: (() => Promise<void>) | undefined;
  let polls: Polls;
  beforeAll(async () => {
    client = createOutboundClient({ allow: ['127.0.0.0/8'] });
    server = await serveHttp((request, response) => {
      asked += 1;
      if (request.url === '/endless') {
        response.writeHead(200, { 'content-type': 'application/xml' });
        const more = (): void => {
          while (!response.destroyed && response.write('<item><guid>'.padEnd(65_536, 'x')));
        };
        response.on('drain', more);
        more();
        return;
      }
      const interrupt = onAsked;
      onAsked = undefined;
      void (interrupt?.() ?? Promise.resolve()).then(() =>
        response.writeHead(status, { 'content-type': 'application/xml' }).end(feedOf(entries)),
      );
    });
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });
  beforeEach(() => {
    status = 200;
    asked = 0;
    entries = [{ id: 'old', at: -5 }];
    polls = new Polls(server, client);
  });

  it('remembers the entries of the first poll, then outputs new ones', async () => {
    expect(await polls.ids(0)).toEqual([]);
    expect(await polls.ids(1)).toEqual([]);
    entries = [{ id: 'b', at: 2 }, { id: 'a', at: 1 }, ...entries];
    expect(await polls.ids(3)).toEqual(['b', 'a']);
    expect(await polls.ids(4)).toEqual([]);
  });

  it('outputs the entries of a feed that was empty at first', async () => {
    entries = [];
    expect(await polls.ids(0)).toEqual([]);
    entries = [{ id: 'a', at: 1 }];
    expect(await polls.ids(2)).toEqual(['a']);
    expect(await polls.ids(3)).toEqual([]);
  });

  it('distinguishes entries with the same date, or without one, by content', async () => {
    entries = [{ id: 'a', at: 0 }, { id: 'u' }];
    expect(await polls.ids(0)).toEqual([]);
    entries = [{ id: 'b', at: 0 }, { id: 'a', at: 0 }, { id: 'v' }, { id: 'u' }];
    expect(await polls.ids(1)).toEqual(['b', 'v']);
    expect(await polls.ids(2)).toEqual([]);
  });

  it('is not confused by an entry from the future', async () => {
    await polls.ids(0);
    entries = [{ id: 'future', at: 1e6 }, ...entries];
    expect(await polls.ids(1)).toEqual(['future']);
    entries = [{ id: 'a', at: 2 }, ...entries];
    expect(await polls.ids(3)).toEqual(['a']);
    expect(await polls.ids(4)).toEqual([]);
  });

  it('starts over with another feed', async () => {
    await polls.ids(0);
    polls.path = '/other';
    entries = [{ id: 'a', at: 1 }, ...entries];
    expect(await polls.ids(2)).toEqual([]);
    entries = [{ id: 'b', at: 3 }, ...entries];
    expect(await polls.ids(4)).toEqual(['b']);
  });

  it('spreads thousands of new entries over runs, the oldest first, and loses none', async () => {
    await polls.ids(0);
    const ids = Array.from({ length: 1_200 }, (_, index) => `n${index}`);
    entries = ids.map((id, index) => ({ id, at: 1 + Math.floor(index / 7) })).reverse();
    const runs = [await polls.ids(2_000), await polls.ids(2_001), await polls.ids(2_002), await polls.ids(2_003)];
    expect(runs.map(({ length }) => length)).toEqual([500, 500, 200, 0]);
    expect(new Set(runs.flat())).toEqual(new Set(ids));
  });

  it('limits an endless body, while a healthy feed is read at the same time', async () => {
    const hostile = new Polls(server, client);
    hostile.path = '/endless';
    await polls.ids(0);
    entries = [{ id: 'a', at: 1 }, ...entries];
    const [bad, good] = await Promise.all([hostile.run(1), polls.ids(1)]);
    expect(bad.error?.message).toMatch(/large|more than|limit/i);
    expect(good).toEqual(['a']);
  });

  describe('loses no entry and outputs none twice', () => {
    beforeEach(async () => {
      await polls.ids(0);
      entries = [{ id: 'a', at: 1 }, ...entries];
    });

    it('if the run resumes after a crash', async () => {
      await polls.run(2, 'crashed');
      entries = [{ id: 'b', at: 2 }, ...entries];
      expect(await polls.ids(3, 'crashed')).toEqual(['b', 'a']);
      expect(await polls.ids(4)).toEqual([]);
    });

    it('if the run ends without its result', async () => {
      await polls.run(2, 'lost');
      polls.kept.firstResults.set('lost', 'missing');
      expect(await polls.ids(4)).toEqual(['a']);
      expect(await polls.ids(5)).toEqual([]);
    });

    it('while the result of the run is not stored yet: then the next poll sends no request', async () => {
      await polls.run(2, 'slow');
      asked = 0;
      expect(await polls.ids(3)).toEqual([]);
      expect(asked).toBe(0);
      polls.kept.firstResults.set('slow', 'stored');
      expect(await polls.ids(4)).toEqual([]);
      expect(asked).toBe(1);
    });

    it('if the record of the run was deleted', async () => {
      await polls.run(2, 'deleted');
      polls.kept.firstResults.set('deleted', 'gone');
      expect(await polls.ids(3)).toEqual([]);
    });

    it('if two polls begin together', async () => {
      let other: readonly unknown[] = [];
      polls.kept.beforeWrite = async () => {
        other = await polls.ids(2, 'quick');
      };
      expect(await polls.ids(2, 'slow')).toEqual([]);
      expect(other).toEqual(['a']);
    });

    it('if a poll continues after another run has taken over', async () => {
      onAsked = async () => {
        polls.kept.firstResults.set('overtaken', 'missing');
        expect(await polls.ids(5, 'next')).toEqual(['a']);
      };
      expect((await polls.run(2, 'overtaken')).error?.message).toContain('Another run polled');
      expect(await polls.ids(6)).toEqual([]);
    });
  });

  it('fails visibly while the feed is down, polls ever less often, and loses nothing', async () => {
    await polls.ids(0);
    status = 500;
    entries = [{ id: 'a', at: 1 }, ...entries];
    const failed: number[] = [];
    for (let minute = 1; minute <= 300; minute += 1) {
      const { error, outputs } = await polls.run(minute);
      if (error !== undefined) failed.push(minute);
      else expect(outputs).toEqual([[]]);
    }
    expect(failed).toEqual([1, 2, 3, 5, 9, 17, 33, 65, 125, 185, 245]);
    status = 200;
    expect(await polls.ids(305)).toEqual(['a']);
    status = 500;
    expect((await polls.run(306)).error).toBeDefined();
    expect((await polls.run(307)).error).toBeDefined();
  });

  it('does not reach a private address', async () => {
    const strict = createOutboundClient({ allow: [] });
    const { error } = await new Polls(server, strict).run(0);
    strict.close();
    expect(error?.message).toMatch(/127\.0\.0\.1/);
  });
});
