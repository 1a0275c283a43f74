import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { pathOf } from '../world/modules';

/** One change of the source of a compiled module. */
export interface Edit {
  /** Package or service. */
  readonly project: string;
  /** Module below its `src`, without an extension. */
  readonly module: string;
  /** Text that occurs exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** A change that removes one protection from the code. */
export interface Mutation {
  readonly name: string;
  /** The protection, for the table in the documentation. */
  readonly removes: string;
  readonly edits: readonly Edit[];
  /** True if hundreds of seeds do not notice it: another protection covers it, or it takes a rarer coincidence. */
  readonly isRare?: true;
}

/** The source of a module with one edit. @throws Error if the text does not occur exactly once */
export const applyEdit = (source: string, { module, find, replace }: Edit): string => {
  const parts = source.split(find);
  if (parts.length !== 2)
    throw new Error(`The text of a mutation occurs ${parts.length - 1} times in ${module}, not once: ${find}`);
  return parts.join(replace);
};

const textOf = (source: string | ArrayBuffer | NodeJS.TypedArray): string => {
  if (typeof source === 'string') return source;
  return Buffer.from(source instanceof ArrayBuffer ? source : source.buffer, 0).toString('utf8');
};

/** Applies a mutation to modules as they are loaded. Nothing is written. */
export const applyMutation = ({ edits }: Mutation): void => {
  const byUrl = new Map<string, Edit[]>();
  for (const edit of edits) {
    const url = pathToFileURL(pathOf(edit.project, edit.module)).href;
    byUrl.set(url, [...(byUrl.get(url) ?? []), edit]);
  }
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      const found = byUrl.get(url);
      if (found === undefined || loaded.source === undefined || loaded.source === null) return loaded;
      return { ...loaded, source: found.reduce(applyEdit, textOf(loaded.source)) };
    },
  });
};
