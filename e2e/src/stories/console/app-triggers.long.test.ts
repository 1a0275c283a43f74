import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openSignedIn, rowOf, type ConsolePage } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { restClient, textOf, type Rest } from '../../support/rest';
import { startTelegram, type Telegram } from '../../support/stand-ins/telegram';
import { node } from '../../support/workflows';

const NAME = 'A bot of the console';

describe('triggers of apps in the console', () => {
  let stack: Stack;
  let telegram: Telegram;
  let browser: Browser;
  let at: ConsolePage;
  let rest: Rest;
  const ids = { workflow: '', credential: '' };

  const openTriggers = () => at.open(`/workflows/${ids.workflow}?tab=schedule`, NAME);

  beforeAll(async () => {
    telegram = await startTelegram();
    stack = await borrowStack({ env: { runner: telegram.runner } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = { name: 'Bot', type: 'telegramApi', data: { accessToken: '90:console' } };
    ids.credential = textOf(await rest('POST', '/credentials', credential), 'id');
    const credentials = { telegramApi: { id: ids.credential, name: 'Bot' } };
    const trigger = node(
      'Bot',
      'telegramTrigger',
      1.2,
      0,
      { updates: ['message'] },
      { credentials, webhookId: 'cons' },
    );
    const file = { name: NAME, nodes: [trigger], connections: {}, settings: {} };
    ids.workflow = textOf(await rest('POST', '/workflows', file), 'id');
    browser = await launchChromium();
    at = await openSignedIn(browser, stack);
  });
  afterAll(async () => {
    await browser?.close();
    await rest?.('DELETE', `/workflows/${ids.workflow}`);
    await rest?.('DELETE', `/credentials/${ids.credential}`);
    await giveStackBack(stack);
    await telegram?.stop();
  });
  afterEach(() => expect(at.faults).toEqual([]));

  it('appear with their address while the workflow is active', async () => {
    await openTriggers();
    await at.page.getByText('Triggers of apps appear here').waitFor();
    expect((await rest('POST', `/workflows/${ids.workflow}/activate`)).status).toBe(200);
    await openTriggers();
    await rowOf(at.page, 'Bot').getByText('Registered', { exact: true }).waitFor();
    await rowOf(at.page, 'Bot').getByText('/webhook/cons/webhook').waitFor();
    await at.checkAccess('a registered trigger');
  });

  it('say why the service refuses them and when it is asked again, also at the node', async () => {
    telegram.unknown.add('90:console');
    // A change of the credential makes Weft ask the service.
    const renamed = { name: 'Bot', type: 'telegramApi', data: { accessToken: '90:console' } };
    expect((await rest('PUT', `/credentials/${ids.credential}`, renamed)).status).toBe(200);
    await openTriggers();
    await rowOf(at.page, 'Bot').getByText('Failed', { exact: true }).waitFor();
    await rowOf(at.page, 'Bot')
      .getByText(/Unauthorized/)
      .waitFor();
    await rowOf(at.page, 'Bot')
      .getByText(/^Next attempt/)
      .waitFor();
    await at.checkAccess('a failed trigger');
    await picture(at.page, stack, 'console-app-trigger');
    await at.open(`/workflows/${ids.workflow}?node=Bot`, NAME);
    const registration = at.page.getByRole('region', { name: 'Registration' });
    await registration.getByText(/Unauthorized/).waitFor();
    await at.checkAccess('the form of a failed trigger');
    await at.page.setViewportSize({ width: 390, height: 844 });
    await openTriggers();
    await at.page
      .getByText(/Unauthorized/)
      .first()
      .waitFor();
    expect(await at.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await at.checkAccess('a failed trigger, narrow');
    await picture(at.page, stack, 'console-narrow-app-trigger');
  });
});
