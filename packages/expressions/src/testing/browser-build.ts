import { buildSync } from 'esbuild';
import { dirname } from 'node:path';
import { createContext, Script } from 'node:vm';
import { gzipSync } from 'node:zlib';

/** A bundle for browsers. */
export interface BrowserBundle {
  readonly code: string;
  /** Bytes, minified and compressed. */
  readonly gzipBytes: number;
  /** Modules that the bundle would import where it runs, such as `node:crypto`; a browser has none of them. */
  readonly imports: readonly string[];
}

/**
 * Bundles a compiled module for browsers, as the console does.
 * @param file absolute path
 */
export function bundleForBrowser(file: string): BrowserBundle {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [file],
    absWorkingDir: dirname(file),
    bundle: true,
    minify: true,
    platform: 'browser',
    conditions: ['browser'],
    format: 'iife',
    globalName: 'bundle',
    // Built-in modules are left in place, so that the list of imports shows them.
    external: ['node:*', 'crypto', 'fs', 'fs/promises', 'buffer', 'util', 'v8'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  return { code, gzipBytes: gzipSync(code).length, imports: [...new Set(imports)] };
}

/** The globals that a worker of a browser has and the language lacks. */
const WEB = { atob, btoa, performance, TextDecoder, TextEncoder, URL, URLSearchParams };

/** Runs a bundle in a realm without globals of Node. Returns a function of its module that takes and returns text. */
export function functionInBrowser(bundle: BrowserBundle, name: string): (text: string) => string {
  const context = createContext({ ...WEB });
  new Script(`${bundle.code}\nglobalThis.call = (text) => bundle[${JSON.stringify(name)}](text);`).runInContext(
    context,
  );
  return (text) => {
    const result: unknown = new Script(`call(${JSON.stringify(text)})`).runInContext(context);
    return String(result);
  };
}
