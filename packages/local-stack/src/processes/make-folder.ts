import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode, messageOf, StackError } from '../errors';

/**
 * Makes a folder with those above it, unless it exists.
 *
 * @param what names it in the message.
 * @param variable setting that names another one.
 * @throws StackError if it cannot be made or written
 */
export function makeFolder(path: string, what: string, variable: string): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  try {
    // One by one: Node's recursive way never returns below some special folders, such as /proc.
    for (const each of missing) makeOne(each);
    accessSync(`${path}/.`, constants.W_OK);
  } catch (error) {
    throw new StackError(`The ${what} ${path} cannot be used: ${messageOf(error)}. Name another one in ${variable}.`);
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process was faster.
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}
