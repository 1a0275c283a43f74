import { createLogger } from '@weft/service-kit/logging';
import type { ApiClient } from './api-client';
import { listAndWatch } from './list-and-watch';

interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

const item = (name: string): Item => ({ metadata: { name, resourceVersion: '1' } });

/** A server with two pages of one object, and a script of what each watch does. */
const setUp = (watches: readonly ((send: (event: object) => void) => Promise<void>)[]) => {
  const paths: string[] = [];
  const seen: string[] = [];
  let count = 0;
  const { promise: exhausted, resolve: exhaust } = Promise.withResolvers<void>();
  const client: Pick<ApiClient, 'send' | 'stream'> = {
    send: <Answer>({ path }: { readonly path: string }) => {
      paths.push(path);
      const isSecond = path.includes('continue=next');
      const metadata = { resourceVersion: '7', ...(isSecond ? {} : { continue: 'next' }) };
      return Promise.resolve({ metadata, items: [item(isSecond ? 'b' : 'a')] } as Answer);
    },
    stream: async (path, { signal }, onLine) => {
      paths.push(path);
      const watch = watches[count];
      count += 1;
      if (watch !== undefined) return watch(onLine);
      exhaust();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  };
  const loop = listAndWatch<Item>({
    client: { ...client, close: () => undefined },
    logger: createLogger('test', 'silent'),
    plural: 'weftworkflows',
    namespace: undefined,
    reduce: (one) => one,
    onList: (items) => void seen.push(`list ${items.map(({ metadata }) => metadata.name).join()}`),
    onChange: ({ metadata }) => void seen.push(`change ${metadata.name}`),
    onDelete: ({ metadata }) => void seen.push(`delete ${metadata.name}`),
    pauseMs: 0,
  });
  return { loop, paths, seen, exhausted };
};

describe('listing and watching', () => {
  it('lists all pages, then watches from the version of the list', async () => {
    const { loop, paths, seen, exhausted } = setUp([]);
    await exhausted;
    await loop.stop();
    expect(seen).toEqual(['list a,b']);
    expect(loop.hasListed()).toBe(true);
    expect(paths.at(-1)).toContain('watch=true&allowWatchBookmarks=true&timeoutSeconds=600&resourceVersion=7');
  });

  it('names what events change, and nothing for bookmarks', async () => {
    const { loop, seen, exhausted } = setUp([
      (send) => {
        send({ type: 'ADDED', object: item('c') });
        send({ type: 'MODIFIED', object: item('a') });
        send({ type: 'BOOKMARK', object: item('x') });
        send({ type: 'DELETED', object: item('b') });
        return Promise.resolve();
      },
    ]);
    await exhausted;
    await loop.stop();
    expect(seen).toEqual(['list a,b', 'change c', 'change a', 'delete b', 'list a,b']);
  });

  it.each([
    ['the watch ends', () => Promise.resolve()],
    ['the connection breaks', () => Promise.reject(new Error('ECONNRESET'))],
    [
      'the history is lost',
      (send: (event: object) => void) => {
        send({ type: 'ERROR', object: { code: 410 } });
        return Promise.resolve();
      },
    ],
  ])('lists everything again after %s', async (_, watch) => {
    const { loop, seen, exhausted } = setUp([watch, watch]);
    await exhausted;
    await loop.stop();
    expect(seen).toEqual(['list a,b', 'list a,b', 'list a,b']);
  });
});
