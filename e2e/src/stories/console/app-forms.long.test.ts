import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { Browser, Locator } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium';
import { openSignedIn, type ConsolePage } from '../../support/browser/console-page';
import { picture } from '../../support/browser/picture';
import { restClient, textOf, type Rest } from '../../support/rest';
import { startServices, type Services } from '../../support/stand-ins/services';
import { node } from '../../support/workflows';

const APP = 'console-houses';
const KIND = 'consoleHouses';

const TABLE = {
  name: 'table',
  label: 'Table',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  modes: [
    { name: 'list', label: 'From list', list: 'tables' },
    { name: 'id', label: 'By ID' },
    { name: 'url', label: 'By URL', extract: 'tables/([0-9]+)' },
  ],
};

/** An app whose service has tables with columns, rooms in pages, and tags. */
const app = (url: string): object => ({
  weftApp: 1,
  name: APP,
  label: 'Houses',
  hosts: ['127.0.0.1'],
  credentials: { housesApi: { as: 'httpBearerAuth' } },
  calls: { api: { url: `={{ ${JSON.stringify(url)} }}` } },
  pages: { cursor: { by: 'cursor', next: 'next', into: 'query.cursor', size: { into: 'query.limit', max: 100 } } },
  lists: {
    tables: { call: 'api', path: '/tables', list: 'tables', label: 'name', value: 'id', search: 'here' },
    columns: {
      refuse: [{ when: '={{ !$p.table }}', message: 'Choose a table first.' }],
      call: 'api',
      path: "={{ '/tables/' + $fn.path($p.table) }}",
      list: 'columns',
      label: 'name',
      value: 'id',
      search: 'here',
    },
    rooms: {
      call: 'api',
      path: '/rooms',
      pages: 'cursor',
      query: { q: "={{ $search === '' ? undefined : $search }}" },
      list: 'rooms',
      label: 'name',
      value: 'id',
      search: 'sent',
    },
    tags: { call: 'api', path: '/tags', list: 'tags', label: 'name', value: 'id', search: 'here' },
  },
  kinds: {
    [KIND]: {
      label: 'Houses',
      description: 'Writes rows of houses.',
      versions: [1],
      groups: ['output'],
      credentials: [{ type: 'housesApi' }],
      parameters: [
        {
          name: 'operation',
          label: 'Operation',
          type: 'options',
          default: 'update',
          options: [
            { value: 'update', label: 'Update a row' },
            { value: 'append', label: 'Append a row' },
          ],
        },
        TABLE,
        { name: 'room', label: 'Room', type: 'string', list: 'rooms' },
        { name: 'tags', label: 'Tags', type: 'multiOptions', list: 'tags', default: [] },
        { name: 'columns', label: 'Columns', type: 'resourceMapper', list: 'columns' },
      ],
      operations: {
        update: { call: 'api', path: "={{ '/tables/' + $fn.path($p.table) }}" },
        append: { call: 'api', path: "={{ '/tables/' + $fn.path($p.table) }}" },
      },
    },
  },
});

const rooms = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `R${from + index}`, name: `Room ${from + index}` }));

describe('a user who fills in the form of an app', () => {
  let stack: Stack;
  let browser: Browser;
  let at: ConsolePage;
  let rest: Rest;
  let services: Services;
  const ids = { workflow: '', credential: '' };

  const form = (): Locator => at.page.getByRole('complementary', { name: 'Write' });
  const options = (of: string): Locator => form().getByRole('group', { name: `Options of ${of}` });
  const key = (name: string): Promise<void> => at.page.keyboard.press(name);
  const tokens = (path: RegExp) => services.requests.filter((one) => path.test(one.path));
  const openForm = async (): Promise<void> => {
    await at.open(`/workflows/${ids.workflow}?node=Write`, 'Houses of the console');
    await form().getByRole('tab', { name: 'Parameters' }).waitFor();
  };
  const parametersOf = async (): Promise<Readonly<Record<string, unknown>>> => {
    await key('Control+s');
    await at.page.getByRole('button', { name: /^Save\b/, disabled: true }).waitFor();
    const { text } = await rest('GET', `/workflows/${ids.workflow}`);
    const { data }: { data: { nodes: readonly { parameters: Record<string, unknown> }[] } } = JSON.parse(text);
    return data.nodes[1]?.parameters ?? {};
  };

  beforeAll(async () => {
    stack = await borrowStack({});
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    services = await startServices();
    services.answer(/^GET \/tables$/, () => ({
      body: {
        tables: [
          { id: 1, name: 'Flats' },
          { id: 2, name: 'Offices' },
        ],
      },
    }));
    services.answer(/^GET \/tables\/1$/, () => ({
      body: { columns: ['street', 'number', 'rent'].map((id) => ({ id, name: id })) },
    }));
    services.answer(/^GET \/rooms/, ({ path }) => ({
      body: path.includes('cursor=two')
        ? { rooms: rooms(100, 20) }
        : path.includes('q=')
          ? { rooms: [{ id: 'K', name: 'Kitchen' }] }
          : { rooms: rooms(0, 100), next: 'two' },
    }));
    services.answer(/^GET \/tags/, () => ({
      body: {
        tags: [
          { id: 't1', name: 'new' },
          { id: 't2', name: 'sold' },
        ],
      },
    }));
    expect((await rest('PUT', `/apps/${APP}`, app(services.url))).status).toBe(201);
    const credential = { name: 'Houses', type: 'httpBearerAuth', data: { token: 'house-token' } };
    ids.credential = textOf(await rest('POST', '/credentials', credential), 'id');
    const write = node('Write', KIND, 1, 220);
    ids.workflow = textOf(
      await rest('POST', '/workflows', {
        name: 'Houses of the console',
        nodes: [node('Start', 'manualTrigger', 1, 0), write],
        connections: { Start: { main: [[{ node: 'Write', type: 'main', index: 0 }]] } },
        settings: {},
      }),
      'id',
    );
    browser = await launchChromium();
    at = await openSignedIn(browser, stack);
  });
  afterAll(async () => {
    await browser?.close();
    await rest?.('DELETE', `/workflows/${ids.workflow}`);
    await rest?.('DELETE', `/credentials/${ids.credential}`);
    await rest?.('DELETE', `/apps/${APP}?force=true`);
    await services?.stop();
    await giveStackBack(stack);
  });
  // The browser writes the refusal of a list, which a story provokes, to its console.
  afterEach(() => expect(at.faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]));

  it('learns that a credential comes first, and can type an id without one', async () => {
    await openForm();
    await form().getByRole('button', { name: 'Table: Choose …' }).click();
    await options('Table').getByText('Choose a credential of this node first.').waitFor();
    await at.checkAccess('options without a credential');
    await at.page.keyboard.type('17');
    await key('Enter');
    await form().getByLabel('Table').and(at.page.locator('input')).waitFor();
    expect(await parametersOf()).toMatchObject({ table: { __rl: true, mode: 'id', value: '17' } });
    expect(services.requests).toEqual([]);
    // Nodes name a type of their package, which stands for one of Weft.
    await form().getByLabel('Credential: Bearer').selectOption({ label: 'Houses' });
  });

  it('chooses from a list by the keyboard, and keeps the name of what was chosen', async () => {
    await form().getByLabel('How Table is given').selectOption('list');
    await form()
      .getByRole('button', { name: /^Table/ })
      .focus();
    await key('Enter');
    await options('Table').getByRole('option', { name: 'Offices' }).waitFor();
    await picture(at.page, stack, 'console-app-list');
    await at.checkAccess('options of a locator');
    await at.page.keyboard.type('fla');
    await options('Table').getByRole('option', { name: 'Flats' }).waitFor();
    await key('Enter');
    await form().getByRole('button', { name: 'Table: Flats' }).waitFor();
    expect(
      await form()
        .getByRole('button', { name: 'Table: Flats' })
        .evaluate((button) => button.matches(':focus')),
    ).toBe(true);
    expect(await parametersOf()).toMatchObject({ table: { mode: 'list', value: 1, cachedResultName: 'Flats' } });
    expect(tokens(/^\/tables$/)[0]?.headers.authorization).toBe('Bearer house-token');
  });

  it('reads further pages, and searches with few requests', async () => {
    await form().getByRole('button', { name: 'Choose Room from the list' }).click();
    await options('Room').getByText('100 or more found.').waitFor();
    await options('Room').getByRole('button', { name: 'Load more' }).click();
    await options('Room').getByText('120 found.').waitFor();
    const before = tokens(/^\/rooms/).length;
    await at.page.keyboard.type('kitchen', { delay: 20 });
    await options('Room').getByRole('option', { name: 'Kitchen' }).waitFor();
    expect(tokens(/^\/rooms/).length - before).toBe(1);
    await key('Enter');
    await form().getByText('Kitchen').waitFor();
    expect(await parametersOf()).toMatchObject({ room: 'K' });
    await form().getByLabel('Room', { exact: true }).fill('R7');
    expect(await parametersOf()).toMatchObject({ room: 'R7' });
  });

  it('chooses several values, and removes one', async () => {
    await form().getByRole('button', { name: 'Choose Tags' }).click();
    await options('Tags').getByRole('option', { name: 'new' }).click();
    await options('Tags').getByRole('option', { name: 'sold' }).click();
    await key('Escape');
    await options('Tags').waitFor({ state: 'detached' });
    await form().getByRole('button', { name: 'Remove new' }).click();
    expect(await parametersOf()).toMatchObject({ tags: ['t2'] });
  });

  it('maps columns of the table, also one that the service does not list, and matches on one', async () => {
    await form().getByRole('button', { name: 'Add column' }).click();
    await options('Add column').getByRole('option', { name: 'street' }).click();
    await options('Add column').getByRole('button', { name: 'Add all 2' }).click();
    await at.page.keyboard.type('garden');
    await options('Add column').getByRole('option', { name: 'Add “garden”' }).click();
    await key('Escape');
    await form().getByRole('textbox', { name: 'street' }).fill('Long Lane');
    await form().getByRole('button', { name: 'Remove rent' }).click();
    await form().getByRole('button', { name: 'Choose columns to match on' }).click();
    await options('Choose columns to match on').getByRole('option', { name: 'street' }).click();
    await key('Escape');
    await picture(at.page, stack, 'console-app-columns');
    await at.checkAccess('mapped columns');
    expect(await parametersOf()).toMatchObject({
      columns: {
        mappingMode: 'defineBelow',
        value: { street: 'Long Lane', number: '', garden: '' },
        matchingColumns: ['street'],
        schema: [{ id: 'street' }, { id: 'number' }, { id: 'rent' }],
      },
    });
    await form().getByLabel('How columns are mapped').selectOption('autoMapInputData');
    await form().getByText('Each field of an item is written').waitFor();
    expect(await parametersOf()).toMatchObject({ columns: { mappingMode: 'autoMapInputData' } });
    await form().getByRole('combobox', { name: 'Operation' }).selectOption({ label: 'Append a row' });
    await form().getByText('Columns to match on', { exact: true }).waitFor({ state: 'detached' });
  });

  it('turns a chosen resource into an expression and back', async () => {
    await form().getByRole('button', { name: 'Expression for Table' }).click();
    await form().getByRole('textbox', { name: 'Table' }).waitFor();
    expect(await parametersOf()).toMatchObject({ table: { __rl: true, value: '={{ 1 }}' } });
    await form().getByRole('button', { name: 'Expression for Table' }).click();
    await form()
      .getByRole('button', { name: /^Table/ })
      .waitFor();
    expect(await parametersOf()).toMatchObject({ table: { __rl: true, mode: 'list', value: '1' } });
  });

  it('is told why a service refuses the list, and asks again', async () => {
    services.answer(/^GET \/tags/, () => ({ status: 403, body: { message: 'no access' } }));
    await openForm();
    await form().getByRole('button', { name: 'Choose Tags' }).click();
    await options('Tags').getByRole('alert').waitFor();
    await options('Tags')
      .getByRole('link', { name: /Open the credential/ })
      .waitFor();
    await picture(at.page, stack, 'console-app-refused');
    await at.checkAccess('a refused list');
    services.answer(/^GET \/tags/, () => ({ body: { tags: [{ id: 't1', name: 'new' }] } }));
    await options('Tags').getByRole('button', { name: 'Try again' }).click();
    await options('Tags').getByRole('option', { name: 'new' }).waitFor();
  });

  it('needs no horizontal scrolling in a narrow window', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await openForm();
    await form()
      .getByRole('button', { name: /^Table/ })
      .click();
    await options('Table').getByRole('option', { name: 'Flats' }).waitFor();
    expect(await at.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await at.checkAccess('form of an app, narrow');
    await picture(at.page, stack, 'console-narrow-app-list');
  });
});
