/** Processes that are held in a room, of one program. */
export interface RoomTenant {
  /** Since when its process that is idle longest is idle, on a clock that only grows; undefined: it has none. */
  readonly idleSince: () => number | undefined;
  /** Ends that process. */
  readonly evict: () => void;
}

/**
 * Room for a fixed number of processes, of one pool or of several: working ones, idle ones and spares. Where there is
 * none for one that is to work, the one that is idle longest makes room, whoever's it is.
 */
export class ProcessRoom {
  readonly #most: number;
  readonly #tenants = new Set<RoomTenant>();
  #count = 0;
  /** Those who wait for room, each of whom has had a process ended. */
  readonly #waiting: (() => void)[] = [];

  /** @param most at least as many as there are turns for them, so that one who waits for room always gets it */
  constructor(most: number) {
    this.#most = most;
  }

  join(tenant: RoomTenant): void {
    this.#tenants.add(tenant);
  }

  /** Takes room if there is any, for a process that nobody waits for. Must be left again. */
  tryEnter(): boolean {
    if (this.#count >= this.#most) return false;
    this.#count += 1;
    return true;
  }

  /** Takes room, which others have to make if there is none. Must be left again. */
  async enter(): Promise<void> {
    while (!this.tryEnter()) {
      const left = new Promise<void>((resolve) => this.#waiting.push(resolve));
      this.#evict();
      await left;
    }
  }

  /** Gives room back: the process has ended. */
  leave(): void {
    this.#count -= 1;
    this.#waiting.shift()?.();
  }

  #evict(): void {
    let idlest: { readonly tenant: RoomTenant; readonly since: number } | undefined;
    for (const tenant of this.#tenants) {
      const since = tenant.idleSince();
      if (since !== undefined && (idlest === undefined || since < idlest.since)) idlest = { tenant, since };
    }
    idlest?.tenant.evict();
  }
}
