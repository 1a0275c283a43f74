import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const key = randomBytes(32);
const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Compares two strings in constant time, which reveals nothing about either, including their lengths. */
export const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
