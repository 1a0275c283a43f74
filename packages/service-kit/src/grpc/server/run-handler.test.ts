import { bytesOutlived, testLogger } from '../../testing';
import { runHandler } from './run-handler';
import type { CallContext } from '../types';

const CALLER = { requestId: 'r1', service: 'gateway', principal: undefined, deadline: 0, served: () => undefined };

const call = (signal: () => AbortSignal, handle: (context: CallContext) => unknown): Promise<void> =>
  new Promise((resolve, reject) => {
    runHandler(
      { path: '/weft.Test/Call', admission: CALLER, signal, logger: testLogger(), authentication: {} },
      async (context) => {
        await handle(context);
        resolve();
      },
      reject,
    );
  });

describe('a handler of a call', () => {
  it('gets the caller, and a signal that is created when it is read', async () => {
    let made = 0;
    const signal = (): AbortSignal => {
      made += 1;
      return AbortSignal.abort();
    };
    await call(signal, ({ requestId, service, principal }) => {
      expect([requestId, service, principal, made]).toEqual(['r1', 'gateway', undefined, 0]);
    });
    await call(signal, (context) => expect([context.signal.aborted, made]).toEqual([true, 1]));
  });

  it('leaves no garbage that only a full heap marking would collect', async () => {
    const bytes = await bytesOutlived(400, async () => {
      const request = Array.from({ length: 100 }, (_, index) => ({ index, text: `item ${index}` }));
      await call(
        () => AbortSignal.abort(),
        ({ signal }) => [request, signal],
      );
    });
    expect(bytes).toBeLessThan(1_000);
  });
});
