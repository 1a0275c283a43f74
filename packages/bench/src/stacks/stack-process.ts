import { findPlaces, StackError, type Report } from '@weft/local-stack';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { MARK, type StackFacts, type StackMessage, type StackSettings } from './stack-messages';

/** A stack run by a separate process, which uses the stack library of the stack's checkout. */
export interface StackProcess {
  readonly facts: StackFacts;
  /** Rejects when a process of the stack ends that was not stopped; never resolves. */
  readonly failed: Promise<never>;
  readonly stop: () => Promise<void>;
}

const MAIN = join(__dirname, 'stack-main.js');

/** @throws StackError if that folder is not a checkout of Weft */
export const checkCheckout = (checkout: string): void => {
  if (!existsSync(join(checkout, 'packages/local-stack/bin/bootstrap.mjs')))
    throw new StackError(`${checkout} is not a checkout of Weft: it has no packages/local-stack/bin/bootstrap.mjs.`);
};

/**
 * The PATH without the Node that was fetched for this process: each checkout finds or fetches its own, as its start
 * does from the same shell.
 */
export const pathOfShell = (path: string, cache: string): string =>
  path
    .split(delimiter)
    .filter((folder) => !folder.startsWith(join(cache, 'node-')))
    .join(delimiter);

const readMessages = (child: ChildProcess, report: Report, take: (message: StackMessage) => void): void => {
  if (child.stdout === null) return;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith(MARK)) take(JSON.parse(line.slice(MARK.length)));
    else if (line.trim() !== '') report(`  ${line}`);
  });
};

const whenReady = (child: ChildProcess, checkout: string, report: Report): Promise<Omit<StackProcess, 'stop'>> =>
  new Promise((resolve, reject) => {
    let fail: (error: StackError) => void = reject;
    readMessages(child, report, (message) => {
      if (message.event === 'failed') return fail(new StackError(`The stack of ${checkout}: ${message.message}`));
      const failed = new Promise<never>((_, rejectFailed) => (fail = rejectFailed));
      failed.catch(() => undefined); // avoids an unhandled rejection while no caller waits
      resolve({ facts: message.facts, failed });
    });
    child.once('error', (error) => fail(new StackError(`node cannot be run: ${error.message}`)));
    child.once('exit', (code) => fail(new StackError(`The stack of ${checkout} ended with ${code ?? 'a signal'}.`)));
  });

/**
 * Installs and compiles a checkout as its own `npm start` does, with the Node that it selects, and starts a stack of
 * it. Ends with this process.
 * @param checkout absolute path
 */
export const startStackProcess = async (
  checkout: string,
  settings: StackSettings,
  report: Report,
): Promise<StackProcess> => {
  const child = spawn('node', [MAIN, checkout, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PATH: pathOfShell(process.env['PATH'] ?? '', findPlaces(process.env).cache) },
    detached: true, // Ctrl-C must not end it before it has stopped its stack
  });
  child.stdin.on('error', () => undefined); // its end shows as its exit
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  };
  try {
    return { ...(await whenReady(child, checkout, report)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
