import { withContext } from '@weft/service-kit/context';
import { Unavailable } from '@weft/service-kit/errors';
import { sendStart, type NamedStart } from './send-start';

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

describe('a start that cannot be answered', () => {
  /** Sends it in vain, in a request that has that much time left. */
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

  it('is not sent again when the request has no time left to do something else about it', async () => {
    expect(await sendInVain(500)).toHaveLength(1);
  });
});
