import { readFile } from '../files/collect-files';
import { CommandError, EXIT, messageOf } from '../session/exit-code';
import type { Io } from '../session/io';

const readText = (io: Io, text: string): string => {
  if (text === '-') return io.readAll();
  return text.startsWith('@') ? readFile(text.slice(1)) : text;
};

/** JSON given as text, as `@file`, or as `-` for stdin. @throws CommandError that names the option */
export const jsonInput = (io: Io, option: string, text: string): unknown => {
  const content = readText(io, text);
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CommandError(`${option} is not valid JSON: ${messageOf(error)}`, EXIT.usage);
  }
};

/** A whole number of an option. @throws CommandError */
export const countOf = (option: string, text: string | undefined, standard: number, maximum: number): number => {
  if (text === undefined) return standard;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= maximum)) throw new CommandError(`${option} must be a whole number up to ${maximum}.`, EXIT.usage);
  return number;
};
