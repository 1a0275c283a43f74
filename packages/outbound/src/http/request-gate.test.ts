import { requestGate } from './request-gate';

describe('the gate of requests', () => {
  it('lets the next request in once for each that leaves, even if one leaves twice', async () => {
    const gate = requestGate({ perHost: 5, total: 1 });
    const { signal } = new AbortController();
    const leave = await gate.enter('http://a', signal);
    leave();
    leave();
    const inside: string[] = [];
    const leaveSecond = await gate.enter('http://b', signal);
    const third = gate.enter('http://c', signal).then(() => inside.push('third'));
    await new Promise(setImmediate);
    expect(inside).toEqual([]);
    leaveSecond();
    await third;
    expect(inside).toEqual(['third']);
  });
});
