import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject } from '@weft/apply';
import { CommandError, EXIT } from './exit-code';
import type { Io } from './io';

/** An instance and a key for it. */
export interface Context {
  readonly url: string;
  readonly apiKey: string;
}

/** The content of the context file. */
export interface Contexts {
  /** Name of the context that commands use. */
  readonly current: string | undefined;
  readonly contexts: Readonly<Record<string, Context>>;
}

/** `$WEFT_CONFIG`, otherwise `weft/contexts.json` in the folder for configuration. */
export const contextFile = ({ env }: Io): string =>
  env['WEFT_CONFIG'] ?? join(env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config'), 'weft/contexts.json');

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

const refuseIfShared = (file: string): void => {
  const { mode } = statSync(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new CommandError(`${file} can be read by others. Run: chmod 600 ${file}`, EXIT.usage);
};

const contextOf = (value: unknown): Context | undefined =>
  isObject(value) && typeof value['url'] === 'string' && typeof value['apiKey'] === 'string'
    ? { url: value['url'], apiKey: value['apiKey'] }
    : undefined;

/** @throws CommandError if others can read the file, or if it is not one of contexts */
export const readContexts = (io: Io): Contexts => {
  const file = contextFile(io);
  try {
    refuseIfShared(file);
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(value) || !isObject(value['contexts'])) throw new SyntaxError('no contexts');
    const contexts = Object.entries(value['contexts']).flatMap(([name, one]) => {
      const context = contextOf(one);
      return context === undefined ? [] : [[name, context] as const];
    });
    const { current } = value;
    return { current: typeof current === 'string' ? current : undefined, contexts: Object.fromEntries(contexts) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { current: undefined, contexts: {} };
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be read. Correct or delete it.`, EXIT.usage);
  }
};

/** Replaces the file at once, readable by its owner only. */
export const writeContexts = (io: Io, contexts: Contexts): void => {
  const file = contextFile(io);
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${JSON.stringify(contexts, undefined, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
};

/** Where the address and the key of a command come from. */
export interface Source extends Context {
  /** Such as `WEFT_URL` or `context "prod"`. */
  readonly from: string;
}

/** @throws CommandError that names the two ways to say which instance is meant */
export const findContext = (io: Io, name: string | undefined): Source => {
  const [url, apiKey, chosen] = ['WEFT_URL', 'WEFT_API_KEY', 'WEFT_CONTEXT'].map((variable) => {
    const value = io.env[variable];
    return value === '' ? undefined : value;
  });
  if (name === undefined && url !== undefined && apiKey !== undefined) return { url, apiKey, from: 'WEFT_URL' };
  const { current, contexts } = readContexts(io);
  const wanted = name ?? chosen ?? current;
  const found = wanted !== undefined && Object.hasOwn(contexts, wanted) ? contexts[wanted] : undefined;
  if (found === undefined && wanted !== undefined)
    throw new CommandError(`There is no context "${wanted}". See: weft context list`, EXIT.notAllowed);
  if (found === undefined)
    throw new CommandError(
      'No instance is known. Run "weft login URL", or set WEFT_URL and WEFT_API_KEY.',
      EXIT.notAllowed,
    );
  // One of the two variables overrides that part of the context.
  return { url: url ?? found.url, apiKey: apiKey ?? found.apiKey, from: `context "${wanted}"` };
};
