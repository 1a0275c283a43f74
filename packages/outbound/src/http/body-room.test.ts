import { growingRoom } from './body-room';

const KIB = 1024;
const MIB = 1024 * KIB;
const MAX_BYTES = 32 * MIB;

const recorded = () => {
  const asked: string[] = [];
  const note = (what: string) => (bytes: number) => Promise.resolve(void asked.push(`${what} ${bytes / KIB}`));
  return { asked, room: { make: note('make'), hold: note('hold') } };
};

describe('the room of a body', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is requested once where the size is given, and for twice the received bytes where it is not', async () => {
    const { asked, room } = recorded();
    const stated = growingRoom(6 * MIB, MAX_BYTES, room);
    const unknown = growingRoom(0, MAX_BYTES, room);
    for (const bytes of [200 * KIB, 300 * KIB, 2 * MIB, 6 * MIB]) await stated.arrived(bytes);
    for (const bytes of [200 * KIB, 300 * KIB, 500 * KIB, 20 * MIB]) await unknown.arrived(bytes);
    expect(asked).toEqual(['make 6144', 'make 600', 'make 32768']);
  });

  it('is what has arrived and a little more while a body comes slowly, and all of it when it is complete', async () => {
    const { asked, room } = recorded();
    const slow = growingRoom(6 * MIB, MAX_BYTES, room);
    await slow.arrived(300 * KIB);
    jest.advanceTimersByTime(999);
    expect(asked).toEqual(['make 6144']);
    jest.advanceTimersByTime(1);
    for (const kib of [500, 556, 1_400]) await slow.arrived(kib * KIB);
    expect(asked.slice(1)).toEqual(['hold 556', 'hold 1656']);
    await slow.complete();
    expect(asked.slice(3)).toEqual(['make 1400']);
    slow.end();
    jest.advanceTimersByTime(60_000);
    expect(asked).toHaveLength(4);
  });

  it('is not given up while it is waited for, and not asked for again if the body is complete in time', async () => {
    const { asked, room } = recorded();
    const given: (() => void)[] = [];
    const make = async (bytes: number): Promise<void> => {
      await room.make(bytes);
      await new Promise<void>((resolve) => given.push(resolve));
    };
    const body = growingRoom(6 * MIB, MAX_BYTES, { ...room, make });
    const waiting = body.arrived(300 * KIB);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual(['make 6144']);
    given[0]?.();
    await waiting;
    await body.arrived(6 * MIB);
    expect(body.complete()).toBeUndefined();
    jest.advanceTimersByTime(60_000);
    expect(asked).toHaveLength(1);
  });

  it('is not needed without a memory budget', () => {
    const room = growingRoom(6 * MIB, MAX_BYTES, undefined);
    expect(room.arrived(6 * MIB)).toBeUndefined();
    expect(room.complete()).toBeUndefined();
  });
});
