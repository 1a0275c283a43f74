import { withContext } from '@weft/service-kit/context';
import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { sendStart, startedByRequest, type NamedStart } from './send-start';

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
const FULL = new ServiceError({ reason: 'QUEUE_FULL', kind: 'limited', message: 'Full.' });

describe('a start that cannot be answered', () => {
  /** Sends it without success, in a request with that much time left. */
  const sendInVain = async (leftMs: number, forMs = RESEND_MS): Promise<readonly NamedStart[]> => {
    const sent: NamedStart[] = [];
    const send = (start: NamedStart): Promise<never> => {
      sent.push(start);
      return Promise.reject(new Unavailable('Gone.'));
    };
    await withContext({ requestId: 'r', deadline: Date.now() + leftMs }, () =>
      expect(sendStart(START, send, forMs)).rejects.toThrow('Gone.'),
    );
    return sent;
  };

  it('is sent again under the same id, marked as sent before', async () => {
    const [first, second] = await sendInVain(60_000, 100);
    expect([first?.repeatedStart, second?.repeatedStart]).toEqual([undefined, true]);
    expect(second?.executionId).toBe(first?.executionId);
  });

  it('is not sent again when the request has no time left for another attempt', async () => {
    expect(await sendInVain(500)).toHaveLength(1);
  });

  it.each<[string, readonly Error[], boolean]>([
    ['names it where nobody knows whether it was accepted', [new Unavailable('Gone.')], true],
    ['names it where that was so once, whatever is said later', [new Unavailable('Gone.'), FULL], true],
    ['names nothing where it was refused', [FULL], false],
  ])('%s', async (_, failures, isNamed) => {
    const left = [...failures];
    const send = (): Promise<never> => Promise.reject(left.shift() ?? FULL);
    await withContext({ requestId: 'r', deadline: Date.now() + 60_000 }, async () => {
      await expect(sendStart(START, send, failures.length === 1 ? 0 : RESEND_MS)).rejects.toThrow();
      expect(startedByRequest() !== undefined).toBe(isNamed);
    });
  });
});
