import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, type Strangers } from './strangers-at-work';

/** A guess, in the form of the value that it guesses. */
interface Guess {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const TIMEOUT_MS = 40_000;
const AFTER_FAULT_MS = 20;
const PAGE = { 'content-type': 'application/json', 'x-weft-console': '1' };

const randomText = (): string => randomBytes(32).toString('base64url');

/** A key that no user has, with a valid checksum, so that it is looked up. */
export const guessedKey = (): string => {
  const body = randomBytes(32).toString('hex');
  return `weft_${body}${createHash('sha256').update(body).digest('hex').slice(0, 4)}`;
};

const GUESSES: Readonly<Record<string, (ownerEmail: string) => Guess>> = {
  'guessed key': () => ({ method: 'GET', path: '/api/v1/workflows', headers: { 'x-svc-api-key': guessedKey() } }),
  'guessed waiting token': () => ({ method: 'GET', path: `/webhook-waiting/${randomText()}` }),
  'guessed form token': () => ({ method: 'GET', path: `/form-waiting/${randomText()}` }),
  'guessed path': () => ({ method: 'POST', path: `/webhook/${randomText()}`, body: '{}' }),
  'guessed session': () => ({
    method: 'GET',
    path: '/console/api/v1/keys',
    headers: { ...PAGE, cookie: `weft_session=${randomText()}` },
  }),
  'guessed invitation': () => ({
    method: 'POST',
    path: '/console/api/invitation',
    headers: PAGE,
    body: JSON.stringify({ token: randomText() }),
  }),
  'wrong password': () => ({
    method: 'POST',
    path: '/console/api/session',
    headers: PAGE,
    body: JSON.stringify({ email: `${randomText().slice(0, 8)}@example.test`, password: randomText() }),
  }),
  'wrong password of the owner': (email) => ({
    method: 'POST',
    path: '/console/api/session',
    headers: PAGE,
    body: JSON.stringify({ email, password: randomText() }),
  }),
  'wrong Basic password': (email) => ({
    method: 'GET',
    path: '/api/v1/workflows',
    headers: { authorization: `Basic ${Buffer.from(`${email}:${randomText()}`).toString('base64')}` },
  }),
};

/** Names of all guesses. */
export const GUESS_NAMES = Object.keys(GUESSES);

const ask = (strangers: Strangers, agent: Agent, index: number, name: string, guess: Guess): Promise<boolean> =>
  new Promise((resolve) => {
    const base = strangers.baseUrls[index % strangers.baseUrls.length] ?? '';
    const { method, path, headers = {}, body = '' } = guess;
    const told = (outcome: string, isAnswer: boolean): void => {
      strangers.count(`${name}: ${outcome}`);
      resolve(isAnswer);
    };
    const asked = request(
      `${base}${path}`,
      { agent, method, timeout: TIMEOUT_MS, headers: { ...headers, 'content-length': String(body.length) } },
      (answer) => {
        answer.on('end', () => told(String(answer.statusCode), true));
        answer.on('error', () => told('cut', false));
        answer.resume();
      },
    );
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => told('broken', false));
    asked.end(body);
  });

/** One stranger that guesses as fast as it is answered. */
export const guess = async (strangers: Strangers, index: number, name: string): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: addressOf(index) });
  while (!strangers.isOver()) {
    const made = GUESSES[name]?.(strangers.ownerEmail);
    if (made === undefined) throw new Error(`There is no guess ${name}.`);
    if (!(await ask(strangers, agent, index, name, made))) await sleep(AFTER_FAULT_MS);
  }
  agent.destroy();
};
