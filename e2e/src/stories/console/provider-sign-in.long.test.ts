import { startStack, type Stack } from '@weft/local-stack';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { signInToConsole } from '../../support/browser/console-page';
import {
  prepareIdentityProvider,
  signInAtProvider,
  type IdentityProvider,
} from '../../support/stand-ins/identity-provider';
import { picture } from '../../support/browser/picture';

const SETTINGS = {
  OIDC_SCOPES: 'openid profile email groups',
  OIDC_GROUP_ROLES: 'operators=admin;builders=editor',
  OIDC_NEW_USERS: 'viewer',
};
const ADA = { email: 'ada@example.test', email_verified: true, name: 'Ada', groups: ['builders'] };

describe('signing in with an identity provider', () => {
  let provider: IdentityProvider;
  let stack: Stack;
  let browser: Browser;
  const faults: string[] = [];

  const base = () => stack.baseUrls[0] ?? '';
  const openPage = async (): Promise<Page> => {
    const page = await (await browser.newContext({ viewport: { width: 1000, height: 900 } })).newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${base()}/console/`);
    return page;
  };
  const account = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: /Account/ }).waitFor();
    await page.goto(`${base()}/console/account`);
    return page.locator('.factlist').innerText();
  };
  const roleOf = async (page: Page): Promise<string | undefined> => /Role\s+(\w+)/.exec(await account(page))?.[1];
  const pressButton = (page: Page) => page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
  const signIn = async (login: string): Promise<Page> => {
    const page = await openPage();
    await pressButton(page);
    await signInAtProvider(page, login);
    return page;
  };
  const refusal = async (page: Page, text: string): Promise<void> => {
    await page.getByRole('alert').filter({ hasText: text }).waitFor();
    expect(page.url()).not.toContain('refused');
    await page.getByRole('heading', { name: 'Sign in to Weft' }).waitFor();
  };

  beforeAll(async () => {
    provider = await prepareIdentityProvider();
    provider.put('ada', ADA);
    provider.put('mallory', { ...ADA, email_verified: false, groups: ['operators'] });
    provider.put('grace', { ...ADA, email: 'grace@example.test', groups: [] });
    stack = await startStack({ env: { gateway: { ...SETTINGS, ...provider.variables } } });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await provider?.stop();
  });

  it('says so while the provider is away, and passwords work', async () => {
    const page = await openPage();
    await pressButton(page);
    await refusal(page, 'cannot be reached');
    await picture(page, stack, 'provider-away');
    await signInToConsole({ page }, stack);
    expect(await roleOf(page)).toBe('owner');
  });

  it('makes the person a user with the role of its groups, who signs out like others', async () => {
    await provider.start(`${base()}/settings/oidc/return`);
    const page = await openPage();
    await picture(page, stack, 'provider-button');
    await pressButton(page);
    await picture(page, stack, 'provider-page');
    await signInAtProvider(page, 'ada');
    expect(await roleOf(page)).toBe('editor');
    expect(await account(page)).toContain(ADA.email);
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('weft_sign_in');
    await page.getByRole('button', { name: /Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Weft' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Weft' }).waitFor();
  });

  it('renews the role at the next sign-in: a person who has left the group has no right of it', async () => {
    provider.put('ada', { ...ADA, groups: ['operators'] });
    expect(await roleOf(await signIn('ada'))).toBe('admin');
    provider.put('ada', { ...ADA, groups: [] });
    expect(await roleOf(await signIn('ada'))).toBe('viewer');
  });

  it('gives no one the user of another by an email that is not verified', async () => {
    await refusal(await signIn('mallory'), 'has not verified your email');
  });

  it('signs no one in with the answer to a sign-in that another browser began', async () => {
    const attacker = await openPage();
    const returns = attacker.waitForRequest(/\/settings\/oidc\/return/);
    await pressButton(attacker);
    await signInAtProvider(attacker, 'grace');
    const answer = (await returns).url();
    expect(answer).toContain('code=');
    const victim = await openPage();
    await victim.goto(answer);
    await refusal(victim, 'started in another browser');
    await pressButton(victim);
    // A click does not wait for the page it leads to, and a page that is still loading offers no way back.
    await victim.waitForURL(({ origin }) => origin !== new URL(base()).origin);
    await victim.goBack();
    await victim.goto(answer);
    await refusal(victim, 'started in another browser');
    expect((await victim.context().cookies()).map(({ name }) => name)).not.toContain('weft_session');
  });

  it('keeps a locked user out', async () => {
    expect(await roleOf(await signIn('grace'))).toBe('viewer');
    const headers = { 'x-svc-api-key': stack.apiKey };
    const listed: { data: { id: string; email: string }[] } = JSON.parse(
      await (await fetch(`${base()}/api/v1/users`, { headers })).text(),
    );
    const { id = '' } = listed.data.find(({ email }) => email === 'grace@example.test') ?? {};
    await fetch(`${base()}/api/v1/users/${id}/lock`, { method: 'POST', headers });
    await refusal(await signIn('grace'), 'is locked');
    expect(faults).toEqual([]);
  });
});
