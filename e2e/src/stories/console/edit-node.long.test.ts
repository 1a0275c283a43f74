import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser, Locator } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openSignedIn, type ConsolePage } from '../../support/browser/console-page';
import { dataOf, restClient, type Rest } from '../../support/rest';
import { picture } from '../../support/browser/picture';
import { node } from '../../support/workflows';

const to = (...names: readonly string[]) => ({ main: names.map((name) => [{ node: name, type: 'main', index: 0 }]) });

const ORDERS = `return Array.from({ length: 120 }, (_, i) => ({
  json: { id: i + 300, customer: { name: 'Customer ' + i, email: 'c' + i + '@example.com' }, total: 400 + i * 1.5,
    'odd key': 'x' } }))`;

const assignment = (name: string, type: string, value: string) => ({ id: name, name, type, value });

const ORDER = {
  name: 'Edit order intake',
  nodes: [
    node('Start', 'manualTrigger', 1, 0),
    node('Orders', 'code', 2, 220, { jsCode: ORDERS }),
    node('Is it large?', 'if', 2.2, 440, {
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
        combinator: 'and',
        conditions: [
          { id: '1', leftValue: '={{ $json.total }}', rightValue: 450, operator: { type: 'number', operation: 'gt' } },
        ],
      },
      options: {},
    }),
    node(
      'Shape order',
      'set',
      3.4,
      660,
      {
        assignments: {
          assignments: [
            assignment('reference', 'string', '={{ $json.customer.email }} #{{ $json.id + 1 }}'),
            assignment('total', 'number', "={{ $('Oders').item.json.total }}"),
            assignment('who', 'string', '={{ $json.custmer.name }}'),
          ],
        },
        options: {},
        leftOver: { kept: [1, 2] },
      },
      { onError: 'continueRegularOutput' },
    ),
  ],
  connections: { Start: to('Orders'), Orders: to('Is it large?'), 'Is it large?': to('Shape order') },
  settings: {},
};

const EVIL = `"></script><img src=x onerror=alert(1)>'`;

/** Names and items that would break a page that trusts them, and expressions that would not end. */
const HOSTILE = {
  name: 'Edit hostile items',
  nodes: [
    node('Start', 'manualTrigger', 1, 0),
    node(EVIL, 'code', 2, 220, {
      jsCode: `return [{ json: { [${JSON.stringify(EVIL)}]: ${JSON.stringify(EVIL)}, __proto__x: 'a', constructor: 'b',
        long: 'y'.repeat(3000), html: '<b>bold</b>', link: 'javascript:alert(1)' } }]`,
    }),
    node('Read', 'set', 3.4, 440, {
      assignments: {
        assignments: [
          assignment('loop', 'string', '={{ (() => { for (;;) {} })() }}'),
          assignment('html', 'string', `={{ $json.html }}`),
          assignment('reach', 'string', '={{ $json.constructor.constructor("return this")() }}'),
          assignment(EVIL, 'string', EVIL),
        ],
      },
      options: {},
    }),
  ],
  connections: { Start: to(EVIL), [EVIL]: to('Read') },
  settings: {},
};

/** Milliseconds by key from pressing it to the preview of what was typed. */
const MEASURE = `(() => {
  globalThis.times = [];
  let pressed = 0;
  addEventListener('keydown', () => { pressed = performance.now(); }, true);
  new MutationObserver(() => {
    if (pressed > 0) globalThis.times.push(performance.now() - pressed);
    pressed = 0;
  }).observe(document.querySelector('[data-preview]').parentElement, {
    subtree: true, childList: true, characterData: true,
  });
})()`;

describe('a user who edits a node in its form', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let rest: Rest;
  let base = '';
  const ids = { order: '', run: '', hostile: '' };

  const start = async (definition: object): Promise<{ readonly id: string; readonly run: string }> => {
    const id = String(dataOf(await rest('POST', '/workflows', definition))['id']);
    const run = String(dataOf(await rest('POST', `/workflows/${id}/execute`, { wait: true }))['executionId']);
    return { id, run };
  };
  const openNode = async (id: string, name: string): Promise<void> => {
    await at.page.goto(`${base}/console/workflows/${id}`);
    await at.page.locator(`.react-flow button[title=${JSON.stringify(name)}]`).focus();
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('tab', { name: 'Parameters' }).waitFor();
  };
  const entry = (name: string): Locator => at.page.getByRole('listitem', { name, exact: true });
  const preview = (name: string): Locator => entry(name).locator('[data-preview]');
  const stored = async (id: string): Promise<string> => JSON.stringify(dataOf(await rest('GET', `/workflows/${id}`)));
  const save = async (): Promise<void> => {
    await at.page.keyboard.press('Control+s');
    await at.page
      .getByText(/^Saved/)
      .first()
      .waitFor();
  };

  beforeAll(async () => {
    stack = await borrowStack();
    base = stack.baseUrls[0] ?? '';
    rest = restClient(base, stack.apiKey);
    const order = await start(ORDER);
    [ids.order, ids.run] = [order.id, order.run];
    ids.hostile = (await start(HOSTILE)).id;
    browser = await launchChromium();
    at = await openSignedIn(browser, stack);
  });
  afterAll(async () => {
    await browser?.close();
    await giveStackBack(stack);
  });
  afterEach(() => expect(at.faults).toEqual([]));

  it('repairs failing expressions with the help of their previews, and saves nothing else', async () => {
    const before = await stored(ids.order);
    await openNode(ids.order, 'Shape order');
    await preview('reference').getByText('c34@example.com #335', { exact: true }).waitFor();
    await preview('total').getByText('No node is named “Oders”.').first().waitFor();
    await at.checkAccess('form with problems');
    await picture(at.page, stack, 'console-edit-node');
    await preview('total').getByRole('button', { name: 'Orders' }).click();
    await preview('total').getByText('451', { exact: true }).waitFor();
    await preview('who').getByRole('button', { name: 'customer' }).click();
    await preview('who').getByText('Customer 34', { exact: true }).waitFor();
    await save();
    const after = await stored(ids.order);
    const repaired = before.replace('Oders', 'Orders').replace('custmer', 'customer');
    const definitionOf = (text: string): unknown => JSON.parse(text)['nodes'];
    expect(definitionOf(after)).toEqual(definitionOf(repaired));
  });

  it('shows the values of another item', async () => {
    await openNode(ids.order, 'Shape order');
    await preview('reference').getByText('c34@example.com #335', { exact: true }).waitFor();
    await at.page.getByRole('button', { name: 'Next item' }).first().click();
    await preview('reference').getByText('c35@example.com #336', { exact: true }).waitFor();
    await at.page.getByRole('button', { name: 'Show values for item 5' }).first().click();
    await preview('reference').getByText('c38@example.com #339', { exact: true }).waitFor();
  });

  it('completes names of real items while typing, previews each key, and leaves with Tab', async () => {
    await openNode(ids.order, 'Shape order');
    await preview('reference').getByText('c34@example.com #335', { exact: true }).waitFor();
    await at.page.evaluate(MEASURE);
    const editor = entry('reference').getByRole('textbox', { name: 'Value' });
    await editor.click();
    await at.page.keyboard.press('Control+End');
    await at.page.keyboard.type(' of the customer with number', { delay: 60 });
    const times: unknown = await at.page.evaluate('globalThis.times');
    const sorted = (Array.isArray(times) ? times : []).map(Number).sort((one, other) => one - other);
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
    process.stderr.write(`keystroke to preview: ${sorted.length} keys, p95 ${p95.toFixed(1)} ms\n`);
    expect(sorted.length).toBeGreaterThan(15);
    // The target is 30 ms on an idle machine; tests share theirs.
    expect(p95).toBeLessThan(300);
    await at.page.keyboard.type(' {{ $json.customer.', { delay: 30 });
    await at.page.getByRole('option', { name: /^email/ }).waitFor();
    await at.page.keyboard.type('na', { delay: 30 });
    await at.page.getByRole('option', { name: /^name/ }).waitFor();
    await at.page.keyboard.press('Enter');
    await preview('reference')
      .getByText('c34@example.com #335 of the customer with number Customer 34')
      .first()
      .waitFor();
    await at.page.keyboard.press('Tab');
    await expect(editor.evaluate((element) => element.getRootNode() === element.ownerDocument)).resolves.toBe(false);
    expect(await editor.evaluate((element) => element.matches(':focus'))).toBe(false);
    await editor.focus();
    await at.page.keyboard.press('Control+m');
    await at.page.keyboard.press('Tab');
    expect(await editor.evaluate((element) => element.matches(':focus'))).toBe(true);
    await at.page.keyboard.press('Control+m');
  });

  it('makes what was typed in one field one step of undo', async () => {
    await openNode(ids.order, 'Shape order');
    const name = entry('reference').getByRole('textbox', { name: 'Name' });
    await name.fill('');
    await at.page.keyboard.type('number', { delay: 20 });
    await entry('number').waitFor();
    await at.page.getByRole('button', { name: 'Undo' }).click();
    await entry('reference').waitFor();
  });

  it('maps a key of the input to a field: by its menu, and by dragging', async () => {
    await openNode(ids.order, 'Shape order');
    const input = at.page.getByRole('region', { name: 'Input', exact: true });
    await input.getByRole('button', { name: 'Use odd key' }).click();
    await at.page.getByRole('menuitem', { name: 'Insert into a new field' }).click();
    await preview('odd key').getByText('x', { exact: true }).waitFor();
    await at.page.getByRole('button', { name: 'Add field' }).click();
    const added = entry('field 5');
    await input.getByTitle('$json.total').dragTo(added.getByRole('textbox', { name: 'Value' }));
    await added.locator('[data-preview]').getByText('451', { exact: true }).waitFor();
    await at.checkAccess('mapped fields');
  });

  it('pins a page of the output, edits the items and unpins them', async () => {
    await openNode(ids.order, 'Orders');
    const output = at.page.getByRole('region', { name: 'Output', exact: true });
    await output.getByRole('button', { name: 'Pin 50 items' }).click();
    await output.getByText('pinned', { exact: true }).waitFor();
    await output.getByRole('button', { name: 'Edit items' }).click();
    const editor = output.getByRole('textbox', { name: 'Pinned items of Orders' });
    await editor.click();
    await at.page.keyboard.press('Control+a');
    await at.page.keyboard.insertText('[{ "id": 1, "total": 900 }]');
    await at.checkAccess('pinned items');
    await output.getByRole('button', { name: 'Pin these items' }).click();
    await output.getByText('900').waitFor();
    await save();
    expect(JSON.parse(await stored(ids.order))['pinData']).toEqual({ Orders: [{ json: { id: 1, total: 900 } }] });
    await output.getByRole('button', { name: 'Unpin' }).click();
    await output.getByText('pinned', { exact: true }).waitFor({ state: 'detached' });
    await save();
  });

  it('marks data of a node that was changed since, and edits its settings and its other values', async () => {
    await openNode(ids.order, 'Shape order');
    await at.page.getByText('changed since this run', { exact: true }).waitFor();
    await at.page.getByText('Other', { exact: false }).last().click();
    await at.page.getByRole('textbox', { name: 'leftOver' }).waitFor();
    await at.page.getByRole('tab', { name: 'Settings' }).last().click();
    await at.page.getByRole('switch', { name: 'Retry if it fails' }).click();
    await at.page.getByLabel('Tries, 2 to 5').fill('4');
    await at.page.getByLabel('Notes').fill('Shapes what the shop sends.');
    await at.checkAccess('settings of a node');
    await save();
    expect(await stored(ids.order)).toContain('"retryOnFail":true,"maxTries":4,"notes":"Shapes what the shop sends."');
  });

  it('shows hostile names and items as text, and ends expressions that do not end', async () => {
    await openNode(ids.hostile, 'Read');
    await preview('html').getByText('<b>bold</b>', { exact: true }).waitFor();
    await preview('loop')
      .getByText(/too (?:long|much)|limit|steps/i)
      .first()
      .waitFor();
    await preview('reach').first().waitFor();
    await at.checkAccess('hostile items');
    const input = at.page.getByRole('region', { name: 'Input', exact: true });
    await input.getByRole('button', { name: `Use ${EVIL}` }).click();
    await at.page.getByRole('menuitem', { name: 'Insert into a new field' }).click();
    await at.page.locator('[data-preview]').getByText(EVIL, { exact: true }).first().waitFor();
    await openNode(ids.hostile, EVIL);
    await at.page.getByRole('textbox', { name: 'JavaScript' }).waitFor();
  });

  it('shows the parameters of a node run, resolved for an item', async () => {
    await at.open(
      `/executions/${ids.run}?node=${encodeURIComponent('Is it large?')}&tab=parameters&item=7`,
      ORDER.name,
    );
    await at.page.locator('[data-preview]').getByText('410.5', { exact: true }).waitFor();
    await at.checkAccess('resolved parameters');
  });

  it('needs no horizontal scrolling in a narrow window', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.page.goto(`${base}/console/workflows/${ids.order}`);
    await at.page
      .getByRole('button', { name: /^Shape order/ })
      .first()
      .click();
    await at.page.getByRole('tab', { name: 'Parameters' }).waitFor();
    expect(await at.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await at.checkAccess('form, narrow');
    await picture(at.page, stack, 'console-narrow-edit-node');
    await at.page.setViewportSize({ width: 1280, height: 800 });
  });
});
