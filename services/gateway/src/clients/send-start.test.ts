import { withContext } from '@weft/service-kit/context';
import { ServiceError, Unavailable, Unsent } from '@weft/service-kit/errors';
import { sendStart, startOfRequest, type NamedStart } from './send-start';

const START = {
  workflowId: 'w',
  input: Buffer.alloc(0),
  startNode: '',
  idempotencyKey: '',
  wait: 0,
  waitMs: 0,
  usePinData: true,
  mode: 0,
  versionId: '',
  ownerId: '',
};
const RESEND_MS = 3_000;
const CERTAIN = new Unavailable('Away.').amended({ started: 'no' });
const FULL = new ServiceError({ reason: 'QUEUE_FULL', kind: 'limited', message: 'Full.' });

describe('a start without a response', () => {
  /** Sends it without success, in a request with that much time left. */
  const sendInVain = async (
    leftMs: number,
    forMs = RESEND_MS,
    error = new Unavailable('Gone.'),
  ): Promise<readonly NamedStart[]> => {
    const sent: NamedStart[] = [];
    const send = (start: NamedStart): Promise<never> => {
      sent.push(start);
      return Promise.reject(error);
    };
    await withContext({ requestId: 'r', deadline: performance.now() + leftMs }, () =>
      expect(sendStart(START, send, forMs)).rejects.toThrow(error.message),
    );
    return sent;
  };

  it('is sent again under the same id, marked as sent before', async () => {
    const [first, second] = await sendInVain(60_000, 100);
    expect([first?.repeatedStart, second?.repeatedStart]).toEqual([undefined, true]);
    expect(second?.executionId).toBe(first?.executionId);
  });

  it('is sent again as a new one if it was certainly not accepted', async () => {
    const sent = await sendInVain(60_000, 100, new Unsent('The breaker is open.'));
    expect(sent.map(({ repeatedStart }) => repeatedStart)).toEqual([undefined, undefined]);
  });

  it('is not sent again when the request has no time left for another attempt', async () => {
    expect(await sendInVain(500)).toHaveLength(1);
  });

  it.each<[string, readonly Error[], string]>([
    ['names it if it is unknown whether it was accepted', [new Unavailable('Gone.')], 'unknown'],
    ['names it if that was unknown once, whatever happens later', [new Unavailable('Gone.'), FULL], 'unknown'],
    ['names nothing where it was refused', [FULL], 'no'],
    ['names nothing where the service says that nothing was started', [CERTAIN, CERTAIN], 'no'],
    ['names nothing where it was not sent', [new Unsent('The breaker is open.')], 'no'],
    ['names it where it was sent, if not at first', [new Unsent('Too many.'), new Unavailable('Gone.')], 'unknown'],
  ])('%s', async (_, failures, started) => {
    const left = [...failures];
    const send = (): Promise<never> => Promise.reject(left.shift() ?? FULL);
    await withContext({ requestId: 'r', deadline: performance.now() + 60_000 }, async () => {
      await expect(sendStart(START, send, failures.length === 1 ? 0 : RESEND_MS)).rejects.toThrow();
      expect(startOfRequest()?.started).toBe(started);
      expect(startOfRequest()?.executionId !== undefined).toBe(started !== 'no');
    });
  });
});
