import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openConsole, signInToConsole, type ConsolePage } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { dataOf, restClient, type Rest } from '../../support/rest';
import { node } from '../../support/workflows';

const main = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });

const WAITING = {
  name: 'Console approval',
  nodes: [node('Start', 'manualTrigger', 1, 0), node('Wait', 'wait', 1.1, 220, { resume: 'webhook' })],
  connections: { Start: main('Wait') },
  settings: {},
};

const LARGE = {
  name: 'Console items',
  nodes: [
    node('Start', 'manualTrigger', 1, 0),
    node('Items', 'code', 2, 220, {
      jsCode: 'return Array.from({ length: 120 }, (_, id) => ({ json: { id, nested: { name: `n${id}` } } }))',
    }),
  ],
  connections: { Start: main('Items') },
  settings: {},
};

/** A definition that is stored as it is and must not break a page. */
const ODD = {
  name: `Console odd ${'\u202e'}${'x'.repeat(180)}`,
  nodes: [
    node('Start', 'manualTrigger', 1, 0),
    { ...node('Far', 'noOp', 1, 0), position: [1e300, -1e300] },
    node('Same place', 'noOp', 1, 0),
    { ...node('Unknown', 'noOp', 1, 0), type: 'other.neverHeardOf' },
    node(`<script>alert(1)</script>${'y'.repeat(200)}`, 'noOp', 1, 500),
  ],
  connections: { Start: main('Far'), Far: main('Start') },
  settings: {},
};

describe('operating with the console', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let rest: Rest;
  let base = '';
  const ids = { waiting: '', large: '', odd: '', workflow: '' };
  const create = async (definition: object): Promise<string> =>
    String(dataOf(await rest('POST', '/workflows', definition))['id']);
  const execute = async (id: string): Promise<string> =>
    String(dataOf(await rest('POST', `/workflows/${id}/execute`, {}))['executionId']);
  const until = async (id: string, state: string): Promise<void> => {
    for (let tries = 0; tries < 100; tries += 1) {
      if (dataOf(await rest('GET', `/executions/${id}?includeData=false`))['state'] === state) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${id} did not become ${state}`);
  };

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
    ids.workflow = await create(LARGE);
    ids.large = await execute(ids.workflow);
    ids.waiting = await execute(await create(WAITING));
    ids.odd = await create(ODD);
    await until(ids.large, 'success');
    await until(ids.waiting, 'waiting');
    browser = await launchChromium();
    at = await openConsole(browser, base);
    await at.page.goto(`${base}/console/`);
    await at.page.getByRole('heading', { name: 'Sign in to Weft' }).waitFor();
    await at.checkAccess('sign-in');
    await signInToConsole(at, stack);
    await at.page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });
  afterEach(() => expect(at.faults).toEqual([]));

  it('shows each screen without a finding, in both colour schemes', async () => {
    const screens: readonly (readonly [string, string])[] = [
      ['/', 'Overview'],
      ['/workflows', 'Workflows'],
      [`/workflows/${ids.workflow}`, LARGE.name],
      ['/executions', 'Executions'],
      [`/executions/${ids.large}?node=Items`, LARGE.name],
      [`/executions/${ids.large}?node=Items&view=json&item=7`, LARGE.name],
      [`/executions/${ids.large}?node=Items&view=schema`, LARGE.name],
      [`/executions/${ids.waiting}?list=events`, WAITING.name],
      ['/status', 'Status'],
    ];
    for (const [path, heading] of screens) {
      await at.open(path, heading);
      await at.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      await at.checkAccess(path.replace(/[0-9a-f-]{36}/, ':id'));
    }
  });

  it('pages through the items of a node, 50 at a time', async () => {
    await at.open(`/executions/${ids.large}?node=Items`, LARGE.name);
    await at.page.getByRole('tabpanel').getByText('120 items').waitFor();
    await at.page.getByText('Page 1 of 3').waitFor();
    await at.page.getByRole('button', { name: 'Next' }).click();
    await at.page.getByRole('button', { name: 'Show item 51 as JSON' }).click();
    await at.page.getByText('51 of 120').waitFor();
    expect(at.page.url()).toContain('item=50');
    await at.page.reload();
    await at.page.getByText('"n50"').waitFor();
  });

  it('shows the end of a run that another client causes, without a reload', async () => {
    await at.open(`/executions/${ids.waiting}`, WAITING.name);
    await at.page.getByRole('button', { name: /^Wait .*waiting/ }).waitFor();
    await rest('POST', `/executions/${ids.waiting}/cancel`);
    await at.page.locator('.xtop').getByText('Cancelled').waitFor();
  });

  it('draws definitions with impossible positions, unknown kinds and hostile names', async () => {
    await at.page.goto(`${base}/console/workflows/${ids.odd}`);
    for (const name of ['Start', 'Far', 'Same place', 'Unknown'])
      await at.page.getByRole('button', { name: new RegExp(`^${name} `) }).waitFor();
    await at.checkAccess('odd workflow');
    expect(await at.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('keeps its filters in the address, and acts on what is selected', async () => {
    const second = await execute(ids.workflow);
    await until(second, 'success');
    await at.open(`/executions?workflow=${ids.workflow}`, 'Executions');
    await at.page.getByRole('button', { name: 'Succeeded' }).click();
    expect(at.page.url()).toContain('status=success');
    await at.page.reload();
    await at.page.getByRole('checkbox', { name: new RegExp(second) }).click();
    await at.page
      .getByRole('region', { name: 'Selected executions' })
      .getByRole('button', { name: 'Delete 1' })
      .click();
    await at.checkAccess('confirmation');
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete 1' }).click();
    await at.page.getByRole('checkbox', { name: new RegExp(second) }).waitFor({ state: 'detached' });
    expect((await rest('GET', `/executions/${second}`)).status).toBe(404);
  });

  it('finds a workflow and opens its last execution by keyboard alone', async () => {
    await at.open('/', 'Overview');
    await at.page.keyboard.press('Control+k');
    await at.page.getByRole('combobox', { name: /^Search workflows/ }).waitFor();
    await at.page.keyboard.type(LARGE.name);
    await at.page.getByRole('option', { name: new RegExp(LARGE.name) }).waitFor();
    await at.checkAccess('search');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: LARGE.name, level: 1 }).waitFor();
    await at.page.keyboard.press('g');
    await at.page.keyboard.press('e');
    await at.page.getByRole('heading', { name: 'Executions', level: 1 }).waitFor();
    await at.page.getByRole('link', { name: LARGE.name }).first().focus();
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: LARGE.name, level: 1 }).waitFor();
    await at.page.getByRole('button', { name: /^Items Code/ }).focus();
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('tabpanel').getByText('120 items').waitFor();
  });

  it('asks to sign in again when the session has ended, and continues where it was', async () => {
    await at.open('/executions', 'Executions');
    await at.page.context().clearCookies();
    const dialog = at.page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await at.checkAccess('session ended');
    await signInToConsole(at, stack);
    await dialog.waitFor({ state: 'detached' });
    await at.page.getByRole('link', { name: LARGE.name }).first().waitFor();
  });

  it('says what is gone, what is empty and where there is no page', async () => {
    await at.page.goto(`${base}/console/executions/01a22926-9a4c-74e2-a394-0f138c7929b7`);
    await at.page.getByRole('heading', { name: 'This execution was not found' }).waitFor();
    await at.checkAccess('gone');
    await at.page.goto(`${base}/console/workflows?q=nothing-has-this-name`);
    await at.page.getByRole('heading', { name: 'No workflow matches' }).waitFor();
    await at.checkAccess('empty');
    await at.page.goto(`${base}/console/none`);
    await at.page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });

  it('needs no horizontal scrolling in a narrow window', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    for (const [path, heading] of [
      ['/', 'Overview'],
      ['/workflows', 'Workflows'],
      ['/executions', 'Executions'],
      [`/executions/${ids.large}?node=Items`, LARGE.name],
      ['/status', 'Status'],
    ] as const) {
      await at.open(path, heading);
      expect(await at.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await at.checkAccess(`${heading}, narrow`);
      await picture(at.page, stack, `console-narrow-${heading.toLowerCase().replace(' ', '-')}`);
    }
    await at.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('erases what it holds at sign-out', async () => {
    await at.open('/', 'Overview');
    await at.page.getByRole('button', { name: /Account/ }).click();
    await at.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await at.page.getByRole('heading', { name: 'Sign in to Weft' }).waitFor();
    expect(await at.page.evaluate('sessionStorage.length')).toBe(0);
    await at.page.goto(`${base}/console/executions`);
    await at.page.getByRole('heading', { name: 'Sign in to Weft' }).waitFor();
  });
});
