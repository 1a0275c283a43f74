import { createJoiner, partsOf } from './message-parts';

const long = (letter: string): string => letter.repeat(45_001);

describe('the parts of a message', () => {
  it('are put together, also if messages are interleaved and parts come twice', () => {
    const join = createJoiner(() => undefined);
    const [one, other] = [partsOf(long('a')), partsOf(long('b'))];
    expect(one).toHaveLength(3);
    const received = one.flatMap((part, at) => [part, other[at] ?? part, part]).map(join);
    expect(received.filter((text) => text !== undefined)).toEqual([long('a'), long('b')]);
    expect([...one, ...other].map(join)).toEqual(Array.from({ length: 6 }, () => undefined));
  });

  it('never divide a character', () => {
    const text = `a${'😀'.repeat(30_000)}`;
    const join = createJoiner(() => undefined);
    const sent = partsOf(text).map((part) => ({ ...part, text: Buffer.from(part.text).toString() }));
    expect(sent.map(join).filter((one) => one !== undefined)).toEqual([text]);
  });

  it('may have been joined on their way', () => {
    const join = createJoiner(() => undefined);
    const [first, second, third] = partsOf(long('a'));
    if (first === undefined || second === undefined || third === undefined) throw new Error('There are not three.');
    const both = { ...first, text: first.text + second.text };
    expect([both, second, third].map(join)).toEqual([undefined, undefined, long('a')]);
  });

  it('report one that is missing, once, and do not affect other messages', () => {
    let missing = 0;
    const join = createJoiner(() => void (missing += 1));
    const [, second, third] = partsOf(long('a'));
    if (second === undefined || third === undefined) throw new Error('There are not three.');
    expect([second, third].map(join)).toEqual([undefined, undefined]);
    expect([missing, ...partsOf('b').map(join)]).toEqual([1, 'b']);
  });

  it('are collected for a bounded number of messages', () => {
    let missing = 0;
    const join = createJoiner(() => void (missing += 1));
    for (let count = 0; count < 25; count += 1) partsOf(long('a')).slice(0, 1).forEach(join);
    expect(missing).toBe(5);
  });
});
