/** An event of the simulation. */
export interface Event {
  /** Virtual milliseconds. */
  readonly at: number;
  /** Decides between events of the same time. */
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

const isBefore = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A binary heap of events: the earliest comes first. */
export class EventHeap {
  readonly #events: Event[] = [];

  push(event: Event): void {
    const events = this.#events;
    let index = events.length;
    events.push(event);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = events[parent];
      if (above === undefined || !isBefore(event, above)) break;
      events[index] = above;
      events[parent] = event;
      index = parent;
    }
  }

  pop(): Event | undefined {
    const events = this.#events;
    const [first] = events;
    const last = events.pop();
    if (first === undefined || last === undefined || first === last) return first;
    let index = 0;
    events[0] = last;
    for (;;) {
      const left = 2 * index + 1;
      const [one, other] = [events[left], events[left + 1]];
      const isRight = one !== undefined && other !== undefined && isBefore(other, one);
      const child = isRight ? other : one;
      if (child === undefined || !isBefore(child, last)) return first;
      const at = isRight ? left + 1 : left;
      events[index] = child;
      events[at] = last;
      index = at;
    }
  }
}
