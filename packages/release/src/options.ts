import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StackError } from '@weft/local-stack';

/** Parts of a release. */
export const PARTS = ['archive', 'images', 'packages', 'chart', 'sbom', 'notes'] as const;

/** Name of a part of a release. */
export type Part = (typeof PARTS)[number];

/** Options of `npm run release`. */
export interface ReleaseOptions {
  /** Absolute path of the folder for the files; it must not exist or be empty. */
  readonly out: string;
  /** Commit, tag or branch to build. */
  readonly ref: string;
  readonly parts: readonly Part[];
  /** Whether the archive includes a MongoDB-compatible server and NATS. */
  readonly hasServers: boolean;
}

const USAGE =
  'Usage: npm run release -- --out DIR [--ref COMMIT] [--only PART,PART] [--without-servers]\n' +
  `PART: ${PARTS.join(', ')}. COMMIT is HEAD by default; changes that are not committed are not in a release.`;

/** Reads the arguments of `npm run release`. @throws StackError with the usage */
export function readOptions(args: readonly string[]): ReleaseOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        out: { type: 'string' },
        ref: { type: 'string', default: 'HEAD' },
        only: { type: 'string' },
        'without-servers': { type: 'boolean', default: false },
      },
    });
    if (values.out === undefined || values.out === '') throw new Error('--out is required.');
    return {
      out: resolve(values.out),
      ref: values.ref,
      parts: readParts(values.only),
      hasServers: !values['without-servers'],
    };
  } catch (error) {
    throw new StackError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

function readParts(text: string | undefined): readonly Part[] {
  if (text === undefined) return PARTS;
  return text.split(',').map((name) => {
    const part = PARTS.find((one) => one === name.trim());
    if (part === undefined) throw new Error(`A release has no part "${name.trim()}".`);
    return part;
  });
}
