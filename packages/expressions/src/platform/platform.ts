/**
 * Needs of the interpreter that depend on the program that runs it. `package.json` maps `#platform` to one of two
 * modules: `node.ts`, and `browser.ts` under the condition `browser`.
 */
export interface Platform {
  /** Milliseconds of CPU that this thread has used, from an arbitrary beginning. */
  readonly cpuMs: () => number;
  /** Bytes of the heap in use; 0 where that is not known, which leaves the budget of memory to the host. */
  readonly heapBytes: () => number;
  /** The digest of the UTF-8 bytes of a text, in hexadecimal. */
  readonly digest: (algorithm: DigestName, text: string) => string;
  /** Base64 of the UTF-8 bytes of a text. */
  readonly encodeBase64: (text: string) => string;
  /** The text of bytes in Base64 without padding, of either alphabet. */
  readonly decodeBase64: (encoded: string) => string;
  /** `process.arch`, `platform` and `version` of expressions. */
  readonly host: { readonly arch: string; readonly platform: string; readonly version: string };
}

/** Digests by the names of Node. */
export type DigestName = 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'sha3-512';
