import { ProcessRoom, type RoomTenant } from './process-room';

/** Holds idle processes, which leave when they are evicted. */
const tenantOf = (room: ProcessRoom, ...idleSince: number[]): RoomTenant & { readonly idle: readonly number[] } => ({
  idle: idleSince,
  idleSince: () => idleSince[0],
  evict: () => {
    idleSince.shift();
    setImmediate(() => room.leave());
  },
});

describe('room for processes', () => {
  it('is never exceeded, however many processes are to be started', () => {
    const room = new ProcessRoom(2);
    expect([room.tryEnter(), room.tryEnter(), room.tryEnter()]).toEqual([true, true, false]);
    room.leave();
    expect(room.tryEnter()).toBe(true);
  });

  it('is made for a working process by evicting the longest idle one, whichever pool holds it', async () => {
    const room = new ProcessRoom(3);
    const [first, second] = [tenantOf(room, 5, 7), tenantOf(room, 3)];
    room.join(first);
    room.join(second);
    for (let held = 0; held < 3; held += 1) room.tryEnter();
    await Promise.all([room.enter(), room.enter()]);
    expect([first.idle, second.idle]).toEqual([[7], []]);
    expect(room.tryEnter()).toBe(false);
  });

  it('is awaited while all processes are working', async () => {
    const room = new ProcessRoom(1);
    room.join(tenantOf(room));
    room.tryEnter();
    let isIn = false;
    const entering = room.enter().then(() => {
      isIn = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIn).toBe(false);
    room.leave();
    await entering;
  });
});
