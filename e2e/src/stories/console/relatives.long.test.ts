import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openConsole, rowOf, signInToConsole, type ConsolePage } from '../../support/browser/console-page';
import { pasteOnPage } from '../../support/browser/editor-page';
import { picture } from '../../support/browser/picture';
import { dataOf, listOf, restClient, textOf } from '../../support/rest';
import { connect, node } from '../../support/workflows';

describe('a user who follows what belongs together', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let base = '';
  let callee = '';
  let caller = '';
  let execution = '';

  const rest = () => restClient(base, stack.apiKey);
  const create = async (body: object): Promise<string> => textOf(await rest()('POST', '/workflows', body), 'id');

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    callee = await create({
      name: 'Called relative',
      nodes: [node('Called', 'executeWorkflowTrigger', 1.1, 0, { inputSource: 'passthrough' })],
      connections: {},
      settings: {},
    });
    caller = await create({
      name: 'Asks the relative',
      nodes: [
        node('Start', 'manualTrigger', 1, 0),
        node('Call', 'executeWorkflow', 1.2, 240, {
          workflowId: { __rl: true, mode: 'id', value: callee },
          workflowInputs: { mappingMode: 'defineBelow', value: {} },
          options: {},
        }),
        node('Shape', 'set', 3.4, 480, { mode: 'raw', jsonOutput: '{"a":1}', options: {} }),
      ],
      connections: connect({ Start: [['Call']], Call: [['Shape']] }),
      settings: {},
    });
    execution = textOf(await rest()('POST', `/workflows/${caller}/execute`, { wait: true }), 'executionId');
    browser = await launchChromium();
    at = await openConsole(browser, base);
    await at.page.goto(`${base}/console/executions/${execution}`);
    await signInToConsole(at, stack);
    await at.page.getByRole('heading', { name: 'Asks the relative', level: 1 }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });

  it('goes from an execution to the one that it called, and back', async () => {
    const facts = at.page.getByLabel('Facts');
    await facts.getByRole('link', { name: 'Called relative' }).waitFor();
    await at.checkAccess('execution with children');
    await picture(at.page, stack, 'console-execution-children');
    await facts.getByRole('link', { name: 'Called relative' }).click();
    await at.page.getByRole('heading', { name: 'Called relative', level: 1 }).waitFor();
    await at.page.locator(`a[href*="${execution}"]`).click();
    await at.page.getByRole('heading', { name: 'Asks the relative', level: 1 }).waitFor();
  });

  it('follows an item back to the one that it was made from', async () => {
    await at.page.goto(`${base}/console/executions/${execution}?node=Shape&view=json`);
    await at.page.getByRole('button', { name: 'item 1 of Call' }).click();
    await at.page.waitForURL(/node=Call/);
    await at.page.getByRole('button', { name: 'item 1 of Start' }).waitFor();
  });

  it('lists the executions that an execution has called', async () => {
    await at.open(`/executions?parent=${execution}`, 'Executions');
    await rowOf(at.page, 'Called relative').waitFor();
    expect(await rowOf(at.page, 'Asks the relative').count()).toBe(0);
    await at.page.getByRole('button', { name: /^Called by/ }).click();
    await rowOf(at.page, 'Asks the relative').waitFor();
  });

  it('sees on the canvas which nodes have changed since the run', async () => {
    await at.page.goto(`${base}/console/workflows/${caller}?execution=${execution}`);
    const shape = at.page.locator('.canvas').getByRole('button', { name: /^Shape/ });
    await at.page
      .locator('.canvas')
      .getByRole('button', { name: /^Shape .*succeeded/ })
      .waitFor();
    await shape.click();
    await at.page.keyboard.press('d');
    await at.page
      .locator('.canvas')
      .getByRole('button', { name: /^Shape .*changed since this run/ })
      .waitFor();
    await picture(at.page, stack, 'console-changed-node');
    await at.page.keyboard.press('Control+z');
    await at.page
      .locator('.canvas')
      .getByRole('button', { name: /^Shape .*succeeded$/ })
      .waitFor();
  });

  it('finds a node with Ctrl K, and pins what it gave with P', async () => {
    await at.page.keyboard.press('Control+k');
    await at.page.getByRole('combobox', { name: /^Search workflows/ }).fill('shape');
    await at.page.getByRole('option', { name: /^Shape/ }).waitFor();
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('complementary', { name: 'Shape' }).waitFor();
    const shape = at.page.locator('.canvas').getByRole('button', { name: /^Shape/ });
    await shape.focus();
    await at.page.keyboard.press('p');
    await at.page
      .locator('.canvas')
      .getByRole('button', { name: /^Shape .*pinned/ })
      .waitFor();
    await shape.focus();
    await at.page.keyboard.press('p');
    await at.page
      .locator('.canvas')
      .getByRole('button', { name: /^Shape .*succeeded$/ })
      .waitFor();
  });

  it('opens the data of an execution in the editor', async () => {
    await at.page.goto(`${base}/console/executions/${execution}`);
    await at.page.getByRole('link', { name: 'Open in editor' }).click();
    await at.page.waitForURL((url) => url.searchParams.get('execution') === execution);
  });

  it('sees which workflows use a credential', async () => {
    const credential = { name: 'Shop', type: 'httpHeaderAuth', data: { name: 'x-a', value: 'secret' } };
    const id = textOf(await rest()('POST', '/credentials', credential), 'id');
    await create({
      name: 'Uses the shop',
      nodes: [
        {
          ...node('Get', 'httpRequest', 4.2, 0, {
            url: 'http://shop.invalid/',
            authentication: 'genericCredentialType',
            genericAuthType: 'httpHeaderAuth',
            options: {},
          }),
          credentials: { httpHeaderAuth: { id, name: 'Shop' } },
        },
      ],
      connections: {},
      settings: {},
    });
    await at.open(`/credentials/${id}`, 'Shop');
    await at.page.getByRole('region', { name: 'Used by' }).getByRole('link', { name: 'Uses the shop' }).waitFor();
    await at.checkAccess('credential with its uses');
  });

  it('works in one project: lists show it, and an import belongs to it', async () => {
    const project = textOf(await rest()('POST', '/projects', { name: 'Shop team' }), 'id');
    await create({ name: 'Of the team', nodes: [], connections: {}, settings: {}, projectId: project });
    await at.open('/workflows', 'Workflows');
    await at.page.getByLabel('Project of the lists').selectOption('Shop team');
    await rowOf(at.page, 'Of the team').waitFor();
    await rowOf(at.page, 'Called relative').waitFor({ state: 'detached' });
    await at.page
      .getByRole('link', { name: /^Executions/ })
      .first()
      .click();
    await at.page.waitForURL(/project=/);
    await at.page.getByRole('link', { name: 'Workflows' }).first().click();
    await rowOf(at.page, 'Of the team').waitFor();
    await pasteOnPage(at.page, JSON.stringify({ name: 'Imported here', nodes: [], connections: {}, settings: {} }));
    const dialog = at.page.getByRole('dialog');
    await dialog.getByLabel('Belongs to').waitFor();
    await at.checkAccess('import into a project');
    await picture(at.page, stack, 'console-import-project');
    await dialog.getByRole('button', { name: 'Import 1 workflow' }).click();
    await at.page.getByRole('heading', { name: 'Imported here', level: 1 }).waitFor();
    const found = listOf(await rest()('GET', `/workflows?projectId=${project}&summary=true`));
    expect(found.map(({ name }) => name).sort()).toEqual(['Imported here', 'Of the team']);
    const [imported] = found.filter(({ name }) => name === 'Imported here');
    expect(dataOf(await rest()('GET', `/workflows/${String(imported?.['id'])}`))).not.toHaveProperty('projectId', '');
  });

  it('shows no script error, policy violation, foreign request or accessibility finding', () => {
    expect(at.faults).toEqual([]);
  });
});
