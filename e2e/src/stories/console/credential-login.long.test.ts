import { startStack, type Stack } from '@weft/local-stack';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openConsole, signInToConsole, told, type ConsolePage } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { connectOAuth, type OAuthScene } from '../../support/oauth-scene';
import { signInAtProvider } from '../../support/stand-ins/identity-provider';

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

describe('signing in with a credential in the console', () => {
  let stack: Stack;
  let scene: OAuthScene;
  let browser: Browser;
  let at: ConsolePage;
  let page: Page;
  /** Faults of pages that are not the console's. */
  const ofTheService: string[] = [];

  const show = async (name: string): Promise<void> => {
    for (const viewport of [WIDE, NARROW]) {
      await page.setViewportSize(viewport);
      await picture(page, stack, `${name}-${viewport.width}`);
    }
    await at.checkAccess(`${name}, narrow`);
    await page.setViewportSize(WIDE);
    await at.checkAccess(name);
  };
  const open = () => at.open(`/credentials/${scene.credentialId}`, 'a service');

  beforeAll(async () => {
    stack = await startStack({ env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' } } });
    scene = await connectOAuth(stack);
    browser = await launchChromium();
    at = await openConsole(browser, stack.baseUrls[0] ?? '');
    ({ page } = at);
    await page.goto(`${stack.baseUrls[0] ?? ''}/console/`);
    await signInToConsole(at, stack);
    await page.getByRole('button', { name: /Account/ }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await scene?.server.stop();
  });

  it('says in the list and on the page that the credential needs it', async () => {
    await at.open('/credentials', 'Credentials');
    await page.getByText('Needs sign-in').waitFor();
    await show('login-list');
    await open();
    await page.getByText('No user has signed in with it yet.').waitFor();
    await show('login-needed');
  });

  it('says at the nodes that use the credential, and leads to its page', async () => {
    await at.open(`/workflows/${scene.workflowId}?node=Call`, 'calls a service');
    await page.locator('.react-flow').getByText('sign-in', { exact: true }).waitFor();
    const form = page.getByRole('complementary', { name: 'Call' });
    await form.getByText('This credential needs a sign-in.').waitFor();
    const link = form.getByRole('link', { name: /Sign in again/ });
    expect(await link.getAttribute('href')).toBe(`/console/credentials/${scene.credentialId}`);
    await page.getByRole('button', { name: 'Outline' }).click();
    await page.getByRole('button', { name: /^Call.*needs sign-in/ }).waitFor();
    await show('login-node');
  });

  it('leads to the service by the keyboard, and back to the credential', async () => {
    await open();
    const before = at.faults.length;
    await page.getByRole('button', { name: 'Sign in', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${scene.server.url}/**`);
    await signInAtProvider(page, 'ada');
    await told(page, 'Signed in with a service');
    ofTheService.push(...at.faults.slice(before));
    await page.getByRole('heading', { name: 'a service', level: 1 }).waitFor();
    await page.getByText('Signed in', { exact: true }).waitFor();
    expect(page.url()).toBe(`${stack.baseUrls[0] ?? ''}/console/credentials/${scene.credentialId}`);
    await page.getByRole('button', { name: 'Sign in again' }).waitFor();
    await show('login-done');
  });

  it('says what to do if the sign-in is not the one that this browser began', async () => {
    await page.goto(`${stack.baseUrls[0] ?? ''}/rest/oauth2-credential/callback?code=c&state=s`);
    await page.getByText('began in another browser').waitFor();
    expect(page.url()).not.toContain('code=');
    await show('login-refused');
  });

  it('has no fault, apart from those of the pages of the service', () => {
    expect(at.faults.filter((fault) => !ofTheService.includes(fault))).toEqual([]);
  });
});
