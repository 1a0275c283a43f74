import { WorkUnderWay } from '@weft/service-kit/in-flight';
import { setTimeout as sleep } from 'node:timers/promises';

/** Settings of a steady load. */
export interface Rate {
  readonly perSecond: number;
  /** Sends requests until this is true. */
  readonly isOver: () => boolean;
  /** Maximum requests in progress; further ones are counted as omitted. */
  readonly most: number;
  readonly send: (index: number) => Promise<void>;
}

/** The offered load. */
export interface Offered {
  readonly sent: number;
  readonly leftOut: number;
}

/** Sends at that rate whatever the answers (an open loop), and returns when the last has been answered. */
export const keepRate = async ({ perSecond, isOver, most, send }: Rate): Promise<Offered> => {
  const began = performance.now();
  const underWay = new WorkUnderWay();
  let due = 0;
  let leftOut = 0;
  while (!isOver()) {
    const target = Math.floor(((performance.now() - began) * perSecond) / 1_000);
    for (; due < target; due += 1) {
      if (underWay.size >= most) {
        leftOut += 1;
        continue;
      }
      void underWay.track(send(due));
    }
    await sleep(2);
  }
  await Promise.all(underWay);
  return { sent: due - leftOut, leftOut };
};
