/** Processes of one program in a room. */
export interface RoomTenant {
  /** Monotonic time since which its longest idle process has been idle; undefined: it has none. */
  readonly idleSince: () => number | undefined;
  /** Ends that process. */
  readonly evict: () => void;
}

/**
 * Room for a fixed number of processes of one or several pools: working, idle and spare ones. If there is no room for a
 * working process, the longest idle one of any pool is evicted.
 */
export class ProcessRoom {
  readonly #most: number;
  readonly #tenants = new Set<RoomTenant>();
  #count = 0;
  /** Waiting callers, for each of whom a process is being ended. */
  readonly #waiting: (() => void)[] = [];

  /** @param most at least the number of places, so that a waiting caller always gets room */
  constructor(most: number) {
    this.#most = most;
  }

  join(tenant: RoomTenant): void {
    this.#tenants.add(tenant);
  }

  /** Takes room if there is any, for a process that is not urgent. `leave` must follow. */
  tryEnter(): boolean {
    if (this.#count >= this.#most) return false;
    this.#count += 1;
    return true;
  }

  /** Takes room, evicting a process if there is none. `leave` must follow. */
  async enter(): Promise<void> {
    while (!this.tryEnter()) {
      const left = new Promise<void>((resolve) => this.#waiting.push(resolve));
      this.#evict();
      await left;
    }
  }

  /** Gives room back after the process has ended. */
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
