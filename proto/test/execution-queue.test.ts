import {
  decodeExecutionIds,
  decodeOffer,
  encodeExecutionIds,
  encodeOffer,
  executionQueueNames,
} from '../src/execution-queue';

const id = (n: number): string => `018f0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

describe('a message of the execution queue', () => {
  it('decodes the encoded ids without duplicates', () => {
    expect(decodeExecutionIds(encodeExecutionIds([id(1), id(2), id(1)]))).toEqual([id(1), id(2)]);
  });

  it('yields no ids for a forged message', () => {
    for (const payload of ['', ',', 'x', '{"id":1}', `${id(1)}0`, '\u0000'])
      expect(decodeExecutionIds(Buffer.from(payload))).toEqual([]);
  });

  it('yields at most 200 ids', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => id(n));
    expect(decodeExecutionIds(encodeExecutionIds(many))).toEqual(many.slice(0, 200));
  });

  it('decodes an encoded offer and rejects forged ones', () => {
    const offer = { replica: '[fd00::1]:7002', isAwaited: true, ids: [id(1), id(2)] };
    for (const one of [offer, { ...offer, isAwaited: false }]) expect(decodeOffer(encodeOffer(one))).toEqual(one);
    const invented = ['', ' ', 'a:1', 'a:1 awaited', `a:1 awaited x`, `a:1 other ${id(1)}`, `<script> taken ${id(1)}`];
    for (const payload of [...invented, `${'a'.repeat(5_000)} taken ${id(1)}`])
      expect(decodeOffer(Buffer.from(payload))).toBeUndefined();
  });

  it('publishes change hints outside the stream', () => {
    const names = executionQueueNames('S');
    expect(names.changedSubject).not.toBe(names.subject);
  });
});
