import { uuidv7 } from '@weft/service-kit/ids';
import { readInTurns } from '@weft/service-kit/json';
import { THREAD_TURNS } from '@weft/service-kit/thread-turns';
import { checkStart, type StartRequest } from './start-request';

const requestOf = (input: string, ownerId: string): StartRequest => ({
  workflowId: uuidv7(),
  input: Buffer.from(input),
  startNode: 'Webhook',
  idempotencyKey: '',
  usePinData: false,
  mode: 'webhook',
  versionId: uuidv7(),
  ownerId,
});

const LONG = JSON.stringify([{ json: { body: 'x'.repeat(100_000) } }]);

describe('the check of a start', () => {
  it('yields the thread for a long input, scheduled by the owner of the workflow', async () => {
    const order: string[] = [];
    const turn = async (ownerId: string): Promise<void> => {
      await THREAD_TURNS.take(ownerId, 'workflow');
      order.push(`a turn of ${ownerId}`);
    };
    const check = async (ownerId: string, input = LONG): Promise<void> => {
      await checkStart(requestOf(input, ownerId), { service: 'gateway' }, readInTurns);
      order.push(`${ownerId} is checked`);
    };
    const all = [turn('other'), check('one'), turn('other'), turn('other'), turn('other'), check('short', '[]')];
    await Promise.all(all);
    // It yields to count values, to parse, to inspect the value, and to compare it with other starts.
    expect(order).toEqual([
      'short is checked',
      ...['a turn of other', 'a turn of other', 'a turn of other', 'a turn of other'],
      'one is checked',
    ]);
  });
});
