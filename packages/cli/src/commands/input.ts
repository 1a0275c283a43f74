import { readFileSync, statSync } from 'node:fs';
import { CommandError, EXIT } from '../session/exit-code';
import type { Io } from '../session/io';

const MAX_BYTES = 10_000_000;

const readText = (io: Io, text: string): string => {
  if (text === '-') return io.readAll();
  if (!text.startsWith('@')) return text;
  const file = text.slice(1);
  try {
    if (statSync(file).size > MAX_BYTES) throw new CommandError(`${file} has more than 10 MB.`, EXIT.usage);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : ''}`, EXIT.usage);
  }
};

/** JSON given as text, as `@file`, or as `-` for stdin. @throws CommandError that names the option */
export const jsonInput = (io: Io, option: string, text: string): unknown => {
  const content = readText(io, text);
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CommandError(
      `${option} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
      EXIT.usage,
    );
  }
};

/** A whole number of an option. @throws CommandError */
export const countOf = (option: string, text: string | undefined, standard: number, maximum: number): number => {
  if (text === undefined) return standard;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= maximum)) throw new CommandError(`${option} must be a whole number up to ${maximum}.`, EXIT.usage);
  return number;
};
