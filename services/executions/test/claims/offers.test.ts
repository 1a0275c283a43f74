import { decodeOffer, encodeExecutionIds } from '@weft/proto/execution-queue';
import { uuidv7 } from '@weft/service-kit/ids';
import { connectNats, type NatsConnection, type NatsMessage } from '@weft/service-kit/nats';
import { testLogger, testNatsUrl, until } from '@weft/service-kit/testing';
import { createOffering, type OfferPorts } from '../../src/messaging/offers';

const ANSWER_MS = 100;

describe('offers of executions that are not stored yet', () => {
  let nats: NatsConnection;
  let subject: string;
  let refused: string[];
  /** Executions that a runner has claimed. */
  let claimed: Set<string>;

  beforeAll(async () => {
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
  });
  beforeEach(() => {
    subject = `OFFERS_${uuidv7()}`;
    refused = [];
    claimed = new Set();
  });
  afterAll(() => nats.close());

  /** No claim waits. */
  const NO_CLAIMS: OfferPorts['waiting'] = { give: (ids) => ids };
  const open = (answerMs = ANSWER_MS) => {
    const offering = createOffering({
      broker: { connection: () => nats },
      subject,
      answerMs,
      waiting: NO_CLAIMS,
      clock: () => performance.now(),
    });
    offering.announce('127.0.0.1:7002');
    return offering.open({
      isUnclaimed: (id) => !claimed.has(id),
      onRefused: (ids) => void refused.push(...ids),
    });
  };
  /** Subscribes as a runner does. @returns once it is subscribed */
  const listen = async (onOffer: (message: NatsMessage, ids: readonly string[]) => void): Promise<void> => {
    nats.subscribe(subject, {
      callback: (_, message) => onOffer(message, decodeOffer(message.data)?.ids ?? []),
    });
    await nats.flush();
  };
  /** Waits until a new offer without a claim counts as declined: the previous ones are over. */
  const untilTimeIsOver = async (offers: ReturnType<typeof open>): Promise<void> => {
    const last = uuidv7();
    offers.send(last, true);
    await until('the last one is refused', () => refused.includes(last));
  };

  it('count as declined at once, and pause for a while, without a subscriber', async () => {
    const offers = open(60_000);
    const id = uuidv7();
    offers.send(id, true);
    await until('it is refused', () => refused.length > 0);
    expect([refused, offers.isOpen()]).toEqual([[id], false]);
  });

  it('need no response when a runner claims any of them', async () => {
    const ids = [uuidv7(), uuidv7()];
    await listen((_, [first = '']) => first === ids[0] && claimed.add(first));
    const offers = open();
    for (const id of ids) offers.send(id, true);
    await until('they are offered', () => claimed.size > 0);
    expect(offers.isOpen()).toBe(true);
    await untilTimeIsOver(offers);
    expect(refused).toHaveLength(1);
  });

  it('count as declined, and pause for a while, without a claim in time', async () => {
    await listen(() => undefined);
    const offers = open();
    const ids = [uuidv7(), uuidv7()];
    for (const id of ids) offers.send(id, true);
    await until('they are refused', () => refused.length > 0);
    expect([refused, offers.isOpen()]).toEqual([ids, false]);
  });

  it('are declined as far as a runner responds so, and only once', async () => {
    const ids = [uuidv7(), uuidv7()];
    await listen((message, [first = '', second = '']) => {
      if (second !== '') message.respond(encodeExecutionIds([first]));
    });
    const offers = open();
    for (const id of ids) offers.send(id, false);
    await until('one is refused', () => refused.length > 0);
    await untilTimeIsOver(offers);
    expect(refused.slice(0, -1)).toEqual([ids[0]]);
  });
});
