import { Unavailable } from '@weft/service-kit/errors';

/** Lets work in that takes files, a bounded number at once. @throws Unavailable; what the work throws */
export type UploadGate = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Makes a gate for `most` uploads at once. */
export const createUploadGate = (most: number): UploadGate => {
  let inside = 0;
  return async (work) => {
    if (inside >= most) throw new Unavailable('Too many files are being sent right now.');
    inside += 1;
    try {
      return await work();
    } finally {
      inside -= 1;
    }
  };
};
