import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';

/** Specifiers of modules in `from '…'`, `import '…'`, `import('…')` and `require('…')`. */
const SPECIFIER = /\b(?:from|import|require)\s*\(?\s*(['"])([^'"\n]+)\1/g;

/** Names of our own packages. The types of all others change with the lock file alone. */
const OWN_PACKAGE = /^@weft\//;

/**
 * Returns a function that gives the digest of all declarations that the compiler reads for one source file: those of
 * the modules that it imports, and of the modules that these import in turn. The result of a rule
 * that uses types depends on them and on the file itself. The tree must be compiled.
 */
export function visibleDeclarations(checkout: string): (file: string) => string {
  const declarations = new Map<string, Declaration>();
  const declarationAt = (path: string): Declaration => {
    const known = declarations.get(path);
    if (known !== undefined) return known;
    const text = readFileSync(join(checkout, path), 'utf8');
    const read = { digest: createHash('sha256').update(text).digest(), imports: importsOf(checkout, path, text) };
    declarations.set(path, read);
    return read;
  };
  return (file) => {
    const place = compiledPath(file);
    const seen = new Set(importsOf(checkout, place, readFileSync(join(checkout, file), 'utf8')));
    // a set yields what is added during its iteration, too
    for (const path of seen) for (const next of declarationAt(path).imports) seen.add(next);
    const hash = createHash('sha256');
    for (const path of [...seen].sort()) hash.update(path).update(declarationAt(path).digest);
    return hash.digest('base64url');
  };
}

interface Declaration {
  readonly digest: Buffer;
  /** Paths of the declarations that it imports, from the root of the checkout. */
  readonly imports: readonly string[];
}

/** Paths of the declarations that a module imports, in its source or in its declaration. */
function importsOf(checkout: string, compiled: string, text: string): string[] {
  const found = [...text.matchAll(SPECIFIER)].map(([, , name = '']) => declarationOf(checkout, compiled, name));
  return [...new Set(found.filter((path) => path !== undefined))];
}

/** The declaration that a specifier names in a compiled file; undefined if it is none of ours. */
function declarationOf(checkout: string, compiled: string, specifier: string): string | undefined {
  const target = specifier.startsWith('.')
    ? join(dirname(compiled), specifier)
    : OWN_PACKAGE.test(specifier)
      ? entryOf(checkout, compiled, specifier)
      : undefined;
  if (target === undefined) return undefined;
  const stem = normalize(target).replace(/\.[cm]?js$/, '');
  return [`${stem}.d.ts`, `${stem}/index.d.ts`].find((path) => existsSync(join(checkout, path)));
}

/** The compiled file that an entry of a package of ours stands for; undefined if it has no such entry. */
function entryOf(checkout: string, compiled: string, specifier: string): string | undefined {
  try {
    return relative(checkout, createRequire(join(checkout, compiled)).resolve(specifier));
  } catch {
    return undefined;
  }
}

/** Path to which a source file of a package is compiled: the same path below `dist`. */
const compiledPath = (file: string): string =>
  file.replace(/^((?:packages|services)\/[^/]+|proto|e2e)\//, '$1/dist/').replace(/\.tsx?$/, '.js');
