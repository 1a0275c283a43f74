import { LIMITS } from '@weft/service-kit/limits';

/** Bytes of one origin: a signed number, little-endian. */
const ORIGIN_BYTES = 4;

/** Origins as a runner sends them; empty if there are too many, since they are optional for callers. */
export const boundedOrigins = (origins: Buffer | undefined): Buffer | undefined =>
  origins === undefined || origins.length > LIMITS.resultOrigins.max * ORIGIN_BYTES ? undefined : origins;

/** Items of a result, each with its origin; unchanged if the number of origins differs. */
export const withOrigins = (items: readonly unknown[], origins: Buffer | undefined): readonly unknown[] => {
  if (origins?.length !== items.length * ORIGIN_BYTES) return items;
  return items.map((item, index) => {
    const origin = origins.readInt32LE(index * ORIGIN_BYTES);
    return typeof item === 'object' && item !== null && origin >= 0 ? { ...item, origin } : item;
  });
};
