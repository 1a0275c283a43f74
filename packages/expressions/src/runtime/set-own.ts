import { forbidden } from './names';

/**
 * Sets an own field of an object that an expression made.
 * @throws ExpressionError `security` for `__proto__`, which would change what the object is.
 */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') throw forbidden(key);
  target[key] = value;
}
