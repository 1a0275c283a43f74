/**
 * Names of the host's globals that expressions elsewhere find empty: each is an object without fields here, so that
 * text which only mentions one keeps working and nothing is ever reached through it.
 */
const DENIED: ReadonlySet<string> = new Set(
  `document global globalThis window Window self process require module exports alert prompt confirm
   eval uneval setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask fetch XMLHttpRequest Promise
   Function Generator GeneratorFunction AsyncFunction AsyncGenerator AsyncGeneratorFunction WebAssembly Reflect Proxy
   Buffer SharedArrayBuffer Atomics escape unescape console`.split(/\s+/),
);

/** True for a global of the host that is an empty object here. */
export function isDeniedGlobal(name: string): boolean {
  return DENIED.has(name);
}
