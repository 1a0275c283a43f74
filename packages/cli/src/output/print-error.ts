import { WeftError } from '@weft/client';
import { commandErrorIn, messageOf } from '../session/exit-code';
import type { Io } from '../session/io';
import { plainJson, plainText } from './plain-text';

const isFieldError = (value: unknown): value is { readonly field: string; readonly message: string } =>
  typeof value === 'object' && value !== null && 'field' in value && 'message' in value;

const fieldLines = ({ details }: WeftError): readonly string[] => {
  const { fields } = details;
  return Array.isArray(fields) ? fields.filter(isFieldError).map(({ field, message }) => `  ${field}: ${message}`) : [];
};

const textOf = (error: WeftError): string =>
  [
    `weft: ${error.message}`,
    ...fieldLines(error),
    ...(error.requestId === undefined ? [] : [`  Request ${error.requestId}`]),
  ].join('\n');

/** Prints a failure to stderr: with JSON output the body of the API's error, otherwise sentences. */
export const printError = (io: Io, error: unknown, asJson: boolean): void => {
  if (commandErrorIn(error) !== undefined || !(error instanceof WeftError))
    return io.err(`${plainText(`weft: ${messageOf(error)}`)}\n`);
  if (!asJson) return io.err(`${plainText(textOf(error))}\n`);
  const { code, message, details, requestId } = error;
  io.err(`${plainJson({ error: { code, message, details, ...(requestId === undefined ? {} : { requestId }) } }, 2)}\n`);
};
