import type { JsonObject } from '@weft/node-catalogue';
import { askForOptions } from '../testing/ask-for-options';
import type { OptionsRequest } from '.';

const TOKEN = { type: 'googleSheetsOAuth2Api', data: { oauthTokenData: { access_token: 'token-of-sheets' } } };
const SHEETS = {
  sheets: [
    { properties: { sheetId: 0, title: 'Pets', sheetType: 'GRID' } },
    { properties: { sheetId: 7, title: "It's", sheetType: 'GRID' } },
    { properties: { sheetId: 8, title: 'Chart', sheetType: 'OBJECT' } },
  ],
};

const ask = (type: string, request: Partial<OptionsRequest>, answers: readonly JsonObject[]) =>
  askForOptions(type, { credential: TOKEN, ...request }, answers);

const DOCUMENT = { documentId: { __rl: true, mode: 'id', value: 'DOC' } };

describe('the lists of Google Sheets', () => {
  it('have the documents, which Google searches', async () => {
    const answer = { files: [{ id: 'D1', name: 'Pets' }], nextPageToken: 'next' };
    const { result, urls } = await ask('googleSheets', { list: 'documents', search: "it's \\" }, [answer]);
    expect(result).toMatchObject({ options: [{ label: 'Pets', value: 'D1' }], nextCursor: expect.stringMatching(/./) });
    expect(urls[0]?.host).toBe('www.googleapis.com');
    expect(urls[0]?.searchParams.get('q')).toBe(
      "mimeType = 'application/vnd.google-apps.spreadsheet' and trashed = false and name contains 'it\\'s \\\\'",
    );
  });

  it('have the sheets of a document, by their id or, in that mode, by their name', async () => {
    const byId = await ask('n8n-nodes-base.googleSheetsTool', { list: 'sheets', parameters: DOCUMENT }, [SHEETS]);
    expect(byId.result).toMatchObject({
      options: [
        { label: 'Pets', value: 'gid=0' },
        { label: "It's", value: 7 },
      ],
    });
    const parameters = { ...DOCUMENT, sheetName: { __rl: true, mode: 'name', value: '' } };
    const byName = await ask('googleSheets', { list: 'sheets', parameters, search: 'IT' }, [SHEETS]);
    expect(byName.result).toMatchObject({ options: [{ label: "It's", value: "It's" }] });
  });

  it('have the columns of a sheet, from its header row', async () => {
    const parameters = {
      ...DOCUMENT,
      operation: 'update',
      sheetName: { __rl: true, mode: 'list', value: 7 },
      options: { locationDefine: { values: { headerRow: 3 } } },
    };
    const { result, urls } = await ask('googleSheets', { list: 'columns', parameters }, [
      SHEETS,
      { values: [['id', '', 'name']] },
    ]);
    expect(result).toMatchObject({
      options: [
        { label: 'id', value: 'id' },
        { label: 'name', value: 'name' },
      ],
    });
    expect(decodeURIComponent(urls[1]?.pathname ?? '')).toBe("/v4/spreadsheets/DOC/values/'It''s'!3:3");
  });

  it('ask for the document and the sheet first, without a request', async () => {
    const none = await ask('googleSheets', { list: 'sheets' }, []);
    expect(none).toMatchObject({ result: { message: 'Choose a document first.' }, urls: [] });
    const expression = { documentId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } };
    expect((await ask('googleSheets', { list: 'columns', parameters: expression }, [])).urls).toEqual([]);
    const noSheet = await ask(
      'googleSheets',
      { list: 'columns', parameters: { ...DOCUMENT, operation: 'append' } },
      [],
    );
    expect(noSheet).toMatchObject({ result: { message: 'Choose a sheet first.' }, urls: [] });
  });
});

describe('the lists of Slack', () => {
  const credential = { type: 'slackApi', data: { accessToken: 'xoxb-1' } };

  it('have its channels and its users', async () => {
    const channels = { ok: true, channels: [{ id: 'C1', name: 'ops' }], response_metadata: { next_cursor: '' } };
    expect((await ask('slack', { list: 'channels', credential }, [channels])).result).toEqual({
      kind: 'options',
      options: [{ label: '#ops', value: 'C1' }],
      nextCursor: '',
    });
    const members = [
      { id: 'U1', name: 'ada', real_name: 'Ada' },
      { id: 'U2', name: 'bo', deleted: true },
    ];
    expect((await ask('slack', { list: 'users', credential }, [{ ok: true, members }])).result).toMatchObject({
      options: [{ label: 'Ada', value: 'U1' }],
    });
  });

  it('are refused with the message of Slack', async () => {
    const { result } = await ask('slack', { list: 'users', credential }, [{ ok: false, error: 'invalid_auth' }]);
    expect(result).toMatchObject({ kind: 'refused', message: 'Slack refused the request: invalid_auth' });
  });
});

it('a kind of no app has no lists', async () => {
  expect((await ask('set', { list: 'x' }, [])).result).toBeUndefined();
});

describe('the lists of Google', () => {
  const google = (kind: string, request: Partial<OptionsRequest>, answer: JsonObject) =>
    ask(kind, { credential: { type: CREDENTIALS[kind] ?? '', data: TOKEN.data }, ...request }, [answer]);
  const CREDENTIALS: Readonly<Record<string, string>> = {
    gmail: 'gmailOAuth2',
    googleCalendar: 'googleCalendarOAuth2Api',
    googleDocs: 'googleDocsOAuth2Api',
    googleDrive: 'googleDriveOAuth2Api',
  };

  it('have labels, calendars, colors and conferences', async () => {
    const labels = await google('gmail', { list: 'labels' }, { labels: [{ id: 'L1', name: 'Later' }] });
    expect(labels.result).toMatchObject({ options: [{ label: 'Later', value: 'L1' }] });
    const calendars = await google('googleCalendar', { list: 'calendars' }, { items: [{ id: 'c@x', summary: 'Ada' }] });
    expect(calendars.result).toMatchObject({ options: [{ label: 'Ada', value: 'c@x' }] });
    const colors = { event: { 1: { background: '#fff', foreground: '#000' } } };
    expect((await google('googleCalendar', { list: 'colors' }, colors)).result).toMatchObject({
      options: [{ label: '#fff with #000', value: '1' }],
    });
    const parameters = { calendar: { __rl: true, mode: 'id', value: 'ada@example.com' } };
    const conferences = { conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] } };
    const found = await google('googleCalendar', { list: 'conferences', parameters }, conferences);
    expect(found.result).toMatchObject({ options: [{ label: 'Google Meet', value: 'hangoutsMeet' }] });
    expect(found.urls[0]?.pathname).toBe('/calendar/v3/users/me/calendarList/ada%40example.com');
  });

  it('have files, folders and drives, which Google searches', async () => {
    const files = { files: [{ id: 'F1', name: 'a' }] };
    const found = await google('googleDrive', { list: 'files', search: "it's" }, files);
    expect(found.result).toMatchObject({ options: [{ label: 'a', value: 'F1' }] });
    expect(found.urls[0]?.searchParams.get('q')).toContain(String.raw`name contains 'it\'s'`);
    const folders = await google('googleDrive', { list: 'folders' }, files);
    expect(folders.result).toMatchObject({ options: [{ value: 'root' }, { value: 'F1' }] });
    const drives = await google('googleDrive', { list: 'drives' }, { drives: [{ id: 'V1', name: 'Team' }] });
    expect(drives.result).toMatchObject({ options: [{ value: 'My Drive' }, { value: 'V1' }] });
  });

  it('have the folders of the chosen drive', async () => {
    const parameters = { driveId: 'V1' };
    const { urls } = await google('googleDocs', { list: 'folders', parameters }, { files: [] });
    expect(urls[0]?.searchParams.get('driveId')).toBe('V1');
    const drives = await google('googleDocs', { list: 'drives' }, {});
    expect(drives.result).toMatchObject({ options: [{ value: 'myDrive' }, { value: 'sharedWithMe' }] });
  });
});
