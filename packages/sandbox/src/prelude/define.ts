/** Defines a non-enumerable property that code can replace. */
export function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}

/** Defines a global name. */
export function defineGlobal(name: string, value: unknown): void {
  define(globalThis, name, value);
}

/** Defines a global name whose value is created on first access. */
export function defineLazyGlobal(name: string, make: () => unknown): void {
  Object.defineProperty(globalThis, name, {
    configurable: true,
    enumerable: false,
    get: () => {
      const value = make();
      defineGlobal(name, value);
      return value;
    },
    set: (value: unknown) => defineGlobal(name, value),
  });
}
