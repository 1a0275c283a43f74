import { freePort, waitUntil } from '@weft/local-stack';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** A person as the provider knows it. */
export interface Account {
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
  readonly groups: readonly string[];
}

/** A real OpenID Connect provider in a separate process. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Variables of the gateway that signs in with it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Makes a person, or changes the claims about one. */
  readonly put: (login: string, account: Account) => void;
  /** Starts the process; @param redirectUri to which the provider sends browsers back */
  readonly start: (redirectUri: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const CLIENT = { id: 'weft', secret: 'the secret of the client' };

/** Prepares a provider on a free port; it answers once it is started. */
export const prepareIdentityProvider = async (): Promise<IdentityProvider> => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'weft-provider-'));
  const file = join(folder, 'accounts.json');
  const accounts: Record<string, Account> = {};
  let child: ChildProcess | undefined;
  const answers = (): Promise<boolean> =>
    fetch(`${issuer}/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    );
  return {
    issuer,
    variables: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    put: (login, account) => {
      accounts[login] = account;
      writeFileSync(file, JSON.stringify(accounts));
    },
    start: async (redirectUri) => {
      const main = join(__dirname, 'identity-provider-main.js');
      const args = [main, String(port), file, CLIENT.id, CLIENT.secret, redirectUri];
      child = spawn(process.execPath, args, { stdio: 'ignore' });
      if ((await waitUntil(answers, { limitMs: 60_000 })) !== true) throw new Error('The provider did not start.');
    },
    stop: async () => {
      if (child === undefined) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      child = undefined;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Signs in on the provider's own pages, as a person would, and consents. */
export const signInAtProvider = async (page: Page, login: string): Promise<void> => {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any password');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
};
