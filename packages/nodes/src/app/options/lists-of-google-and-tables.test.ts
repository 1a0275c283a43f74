import type { JsonObject } from '@weft/node-catalogue';
import { askForOptions as ask } from '../testing/ask-for-options';

const google = (type: string) => ({ type, data: { oauthTokenData: { access_token: 'token' } } });

describe('the lists of apps of Google', () => {
  it('have task lists and groups of contacts', async () => {
    const tasks = google('googleTasksOAuth2Api');
    const lists = await ask('googleTasks', { credential: tasks, list: 'lists' }, [
      { items: [{ id: 'L1', title: 'Pets' }] },
    ]);
    expect(lists.result).toMatchObject({ options: [{ label: 'Pets', value: 'L1' }] });
    const contacts = google('googleContactsOAuth2Api');
    const answer = { contactGroups: [{ name: 'Friends', resourceName: 'contactGroups/g1' }] };
    const groups = await ask('googleContacts', { credential: contacts, list: 'groups' }, [answer]);
    expect(groups.result).toMatchObject({ options: [{ label: 'Friends', value: 'contactGroups/g1' }] });
  });

  it('have the categories of a region of YouTube, its languages, regions and playlists', async () => {
    const credential = google('youTubeOAuth2Api');
    const answer = { items: [{ id: '15', snippet: { title: 'Pets', name: 'Pets' } }] };
    const options = async (list: string, parameters: JsonObject = {}) =>
      (await ask('youTube', { credential, list, parameters }, [answer])).result;
    const shown = { options: [{ label: 'Pets', value: '15' }] };
    for (const list of ['languages', 'regions', 'playlists']) expect(await options(list)).toMatchObject(shown);
    expect(await options('categories', { resource: 'video', operation: 'upload', regionCode: 'DE' })).toMatchObject(
      shown,
    );
    expect(JSON.stringify(await options('categories'))).toContain('Choose a region first.');
  });

  it('have the pages of a presentation', async () => {
    const credential = google('googleSlidesOAuth2Api');
    const parameters = { operation: 'replaceText', presentationId: 'P1' };
    const pages = await ask('googleSlides', { credential, list: 'pages', parameters }, [
      { slides: [{ objectId: 'g1' }] },
    ]);
    expect(pages.result).toMatchObject({ options: [{ label: 'g1', value: 'g1' }] });
    expect(pages.urls[0]?.pathname).toBe('/v1/presentations/P1');
    expect(JSON.stringify((await ask('googleSlides', { credential, list: 'pages' })).result)).toContain('first');
  });

  it('have the properties of all accounts, and the metrics and dimensions of one', async () => {
    const credential = google('googleAnalyticsOAuth2');
    const accounts = {
      accountSummaries: [{ propertySummaries: [{ property: 'properties/7', displayName: 'Shop' }] }, { name: 'empty' }],
    };
    const properties = await ask('googleAnalytics', { credential, list: 'properties' }, [accounts]);
    expect(properties.result).toMatchObject({ options: [{ label: 'Shop', value: '7' }] });
    const parameters = { propertyId: { __rl: true, mode: 'id', value: '7' } };
    const metrics = await ask('googleAnalytics', { credential, list: 'metrics', parameters }, [
      { metrics: [{ apiName: 'sessions', uiName: 'Sessions' }] },
    ]);
    expect(metrics.result).toMatchObject({ options: [{ label: 'Sessions', value: 'sessions' }] });
    const dimensions = await ask('googleAnalytics', { credential, list: 'dimensions', parameters }, [
      { dimensions: [{ apiName: 'city', uiName: 'City' }] },
    ]);
    expect(dimensions.result).toMatchObject({ options: [{ label: 'City', value: 'city' }] });
    expect(dimensions.urls[0]?.pathname).toBe('/v1beta/properties/7/metadata');
  });
});

describe('the lists of tables', () => {
  it('have the tables, columns and views of a base of SeaTable', async () => {
    const credential = { type: 'seaTableApi', data: { domain: 'https://tables.example.com', token: 't' } };
    const columns = [
      { name: 'Name', type: 'text' },
      { name: 'Sum', type: 'formula' },
      { name: 'Photo', type: 'image' },
    ];
    const base = { access_token: 'a', dtable_uuid: 'u1' };
    const metadata = { metadata: { tables: [{ name: 'Pets', columns, views: [{ name: 'All' }] }] } };
    const labels = async (list: string, parameters: JsonObject = {}) => {
      const { result } = await ask('seaTable', { credential, list, parameters }, [base, metadata]);
      return result !== undefined && 'options' in result ? result.options.map(({ label }) => label) : result;
    };
    const table = { tableName: 'Pets' };
    expect(await labels('tables')).toEqual(['Pets']);
    expect(await labels('columns', table)).toEqual(['Name', 'Photo']);
    expect(await labels('searchableColumns', { ...table, operation: 'search' })).toEqual(['Name', 'Sum']);
    expect(await labels('views', { ...table, operation: 'list' })).toEqual(['All']);
    expect(JSON.stringify(await labels('columns'))).toContain('Choose a table first.');
  });

  it('have the bases, tables, columns and views of NocoDB', async () => {
    const credential = { type: 'nocoDbApiToken', data: { host: 'https://tables.example.com', apiToken: 't' } };
    const parameters = { authentication: 'nocoDbApiToken', projectId: 'p1', table: 'm1' };
    const fields = [
      { title: 'Name', type: 'SingleLineText' },
      { title: 'Photo', type: 'Attachment' },
    ];
    const answer = { list: [{ id: 'p1', title: 'Pets' }], fields, views: [{ id: 'v1', title: 'All' }] };
    const asked = async (list: string) => {
      const { result, urls } = await ask('nocoDb', { credential, version: 4, list, parameters }, [answer]);
      const labels = result !== undefined && 'options' in result ? result.options.map(({ label }) => label) : result;
      return [urls[0]?.pathname, labels];
    };
    expect(await asked('bases')).toEqual(['/api/v3/meta/workspaces/nc/bases', ['Pets']]);
    expect(await asked('tables')).toEqual(['/api/v3/meta/bases/p1/tables', ['Pets']]);
    const schema = '/api/v3/meta/bases/p1/tables/m1';
    expect(await asked('columns')).toEqual([schema, ['Name', 'Photo']]);
    expect(await asked('attachmentColumns')).toEqual([schema, ['Photo']]);
    expect(await asked('views')).toEqual([schema, ['All']]);
  });

  it('have the data sources of Notion, which Notion searches', async () => {
    const credential = { type: 'notionApi', data: { apiKey: 'secret_1' } };
    const answer = {
      results: [
        { id: 'd1', name: 'Tasks' },
        { id: 'd2', title: [{ plain_text: 'Pets' }] },
      ],
    };
    const { result } = await ask('notionTrigger', { credential, version: 1.1, list: 'dataSources' }, [answer]);
    expect(result).toMatchObject({ options: [{ label: 'Tasks' }, { label: 'Pets', value: 'd2' }] });
  });
});
