import type { JsonObject } from '@weft/node-catalogue';
import { isPollingKind } from '@weft/node-catalogue';
import { APPS, readApp } from '@weft/apps';
import type { OutboundHttp } from '@weft/outbound';
import { memoryState } from '../../testing/memory-state';
import { runKind } from '../../testing/cases/run-kind';

const START = Date.parse('2024-01-01T00:00:00Z');
const MINUTE = 60_000;
const TOKEN = { oauthTokenData: { access_token: 't' } };

type Answer = (url: URL) => { readonly status?: number; readonly body: unknown };

/** A workflow that polls a service of the test. */
class Polls {
  readonly kept = memoryState();
  readonly urls: string[] = [];
  #runs = 0;

  constructor(
    private readonly kind: string,
    private readonly credentialType: string,
    public parameters: JsonObject,
    public answer: Answer,
    private readonly version?: number,
  ) {}

  run(minute: number, mode: 'trigger' | 'manual' = 'trigger', executionId = `e${(this.#runs += 1)}`) {
    const http: OutboundHttp = {
      request: async ({ url }) => {
        this.urls.push(url);
        const { status = 200, body } = this.answer(new URL(url));
        const headers = { 'content-type': 'application/json' };
        return { status, statusText: '', headers, body: Buffer.from(JSON.stringify(body)), url };
      },
    };
    return runKind(this.kind, {
      ...(this.version === undefined ? {} : { version: this.version }),
      isStart: true,
      mode,
      now: START + minute * MINUTE,
      executionId,
      http,
      kept: this.kept,
      parameters: this.parameters,
      credential: TOKEN,
      node: { credentials: { [this.credentialType]: { id: 'c', name: 'C' } } },
    });
  }

  /** The items of a run whose result was stored. */
  async items(minute: number) {
    const { outputs, error } = await this.run(minute);
    if (error !== undefined) throw new Error(error.message);
    this.kept.firstResults.set(`e${this.#runs}`, 'stored');
    return outputs[0] ?? [];
  }
}

it('every polling trigger of an app is known as one', () => {
  const kinds = APPS.flatMap(({ name }) => Object.entries(readApp(name).kinds));
  for (const [kind, { poll }] of kinds) expect([kind, isPollingKind(kind)]).toEqual([kind, poll !== undefined]);
});

describe('the Gmail trigger', () => {
  let messages: { id: string; minute: number; labelIds?: string[] }[];
  let polls: Polls;
  const answer: Answer = ({ pathname, searchParams }) => {
    if (pathname.endsWith('/labels')) return { body: { labels: [{ id: 'INBOX', name: 'Inbox' }] } };
    const id = /\/messages\/(.+)$/.exec(pathname)?.[1];
    if (id === undefined) {
      const after = Number(/after:(\d+)/.exec(searchParams.get('q') ?? '')?.[1] ?? 0);
      const found = messages.filter(({ minute }) => Math.floor((START + minute * MINUTE) / 1000) >= after);
      return { body: { messages: found.map((one) => ({ id: one.id })) } };
    }
    const { minute = 0, labelIds = ['INBOX'] } = messages.find((one) => one.id === id) ?? {};
    return { body: { id, labelIds, internalDate: String(START + minute * MINUTE) } };
  };
  beforeEach(() => {
    messages = [{ id: 'old', minute: -5 }];
    polls = new Polls('gmailTrigger', 'gmailOAuth2', {}, answer);
  });

  it('starts runs with messages since its first poll, each once', async () => {
    expect(await polls.items(0)).toEqual([]);
    messages = [{ id: 'b', minute: 2 }, { id: 'a', minute: 1 }, ...messages];
    expect(await polls.items(3)).toMatchObject([{ id: 'b', labels: [{ id: 'INBOX', name: 'Inbox' }] }, { id: 'a' }]);
    expect(await polls.items(4)).toEqual([]);
    messages = [{ id: 'c', minute: 2 }, ...messages];
    expect(await polls.items(5)).toMatchObject([{ id: 'c' }]);
  });

  it('leaves out drafts and, since version 1.3, sent messages', async () => {
    await polls.items(0);
    messages = [
      { id: 'sent', minute: 2, labelIds: ['SENT'] },
      { id: 'draft', minute: 1, labelIds: ['DRAFT'] },
      { id: 'got', minute: 1 },
    ];
    expect(await polls.items(3)).toMatchObject([{ id: 'got' }]);
  });

  it('passes on messages that a mailbox sent to itself', async () => {
    await polls.items(0);
    messages = [{ id: 'note', minute: 1, labelIds: ['SENT', 'INBOX'] }];
    expect(await polls.items(3)).toMatchObject([{ id: 'note' }]);
  });

  it('starts a run with at most the number of messages that it sets, the oldest first', async () => {
    polls = new Polls('gmailTrigger', 'gmailOAuth2', { maxResults: 2 }, answer, 1.4);
    await polls.items(0);
    messages = [3, 2, 1].map((minute) => ({ id: `m${minute}`, minute }));
    // Days later: the ones that are left are not too old.
    const later = 5 * 24 * 60;
    expect(await polls.items(later)).toMatchObject([{ id: 'm2' }, { id: 'm1' }]);
    expect(await polls.items(later + 1)).toMatchObject([{ id: 'm3' }]);
    expect(await polls.items(later + 2)).toEqual([]);
  });

  it('finds a new message behind known ones of the same second', async () => {
    polls = new Polls('gmailTrigger', 'gmailOAuth2', { maxResults: 1 }, answer, 1.4);
    const at = (ms: number) => 1 + ms / MINUTE;
    await polls.items(0);
    messages = [500, 300].map((ms) => ({ id: `m${ms}`, minute: at(ms) }));
    expect(await polls.items(2)).toMatchObject([{ id: 'm300' }]);
    expect(await polls.items(3)).toMatchObject([{ id: 'm500' }]);
    messages = [{ id: 'm700', minute: at(700) }, ...messages];
    expect(await polls.items(4)).toMatchObject([{ id: 'm700' }]);
  });

  it('reads the text and the files of messages', async () => {
    const lines = ['Subject: Prices', 'Content-Type: text/csv', 'Content-Disposition: attachment; filename=p.csv'];
    const raw = Buffer.from([...lines, '', '1,2'].join('\r\n')).toString('base64url');
    const parameters = { simple: false, options: { downloadAttachments: true } };
    polls = new Polls('gmailTrigger', 'gmailOAuth2', parameters, (url) => {
      const { body } = answer(url);
      return { body: url.searchParams.get('format') === 'raw' && typeof body === 'object' ? { ...body, raw } : body };
    });
    await polls.items(0);
    messages = [{ id: 'a', minute: 1 }, ...messages];
    const { items } = await polls.run(3);
    expect(items[0]).toMatchObject([
      { json: { id: 'a', labelIds: ['INBOX'], subject: 'Prices' }, binary: { attachment_0: { fileName: 'p.csv' } } },
    ]);
  });

  it('passes messages on again if the run that found them was lost', async () => {
    await polls.items(0);
    messages = [{ id: 'a', minute: 1 }];
    const lost = await polls.run(2, 'trigger', 'lost');
    expect(lost.outputs[0]).toHaveLength(1);
    polls.kept.firstResults.set('lost', 'missing');
    expect(await polls.items(10)).toMatchObject([{ id: 'a' }]);
  });

  it('keeps its state if the service fails, and polls less often', async () => {
    await polls.items(0);
    messages = [{ id: 'a', minute: 1 }];
    polls.answer = () => ({ status: 500, body: {} });
    expect((await polls.run(2)).error).toBeDefined();
    polls.answer = answer;
    expect(await polls.items(2)).toEqual([]);
    expect(await polls.items(4)).toMatchObject([{ id: 'a' }]);
  });

  it('shows one message in a manual run, and changes nothing', async () => {
    const shown = await polls.run(0, 'manual');
    expect(shown.outputs[0]).toMatchObject([{ id: 'old' }]);
    expect(polls.urls.some((url) => url.includes('after'))).toBe(false);
    expect(await polls.items(1)).toEqual([]);
  });
});

describe('the Google Drive trigger', () => {
  it('starts runs with the files of a folder that were created since its last poll', async () => {
    let files = [{ id: 'old', createdTime: '2023-12-31T00:00:00.000Z' }];
    const parameters = { triggerOn: 'specificFolder', folderToWatch: 'F1', event: 'fileCreated' };
    const polls = new Polls('googleDriveTrigger', 'googleDriveOAuth2Api', parameters, () => ({ body: { files } }));
    expect(await polls.items(0)).toEqual([]);
    files = [{ id: 'new', createdTime: '2024-01-01T00:01:00.000Z' }, ...files];
    expect(await polls.items(2)).toMatchObject([{ id: 'new' }]);
    expect(await polls.items(3)).toEqual([]);
    const query = new URL(polls.urls.at(-1) ?? '').searchParams.get('q');
    expect(query).toContain("'F1' in parents");
    expect(query).toContain("createdTime >= '2024-01-01T00:01:00.000Z'");
  });

  it('watches one file', async () => {
    const parameters = { triggerOn: 'specificFile', fileToWatch: 'a', event: 'fileUpdated' };
    let modifiedTime = '2023-12-31T00:00:00.000Z';
    const polls = new Polls('googleDriveTrigger', 'googleDriveOAuth2Api', parameters, () => ({
      body: {
        files: [
          { id: 'b', modifiedTime: '2024-01-01T00:00:30.000Z' },
          { id: 'a', modifiedTime },
        ],
      },
    }));
    expect(await polls.items(0)).toEqual([]);
    expect(await polls.items(1)).toEqual([]);
    modifiedTime = '2024-01-01T00:01:30.000Z';
    expect(await polls.items(2)).toMatchObject([{ id: 'a' }]);
    expect(await polls.items(3)).toEqual([]);
  });
});

describe('the Google Calendar trigger', () => {
  it('starts runs with events when they start, and not before', async () => {
    const items = [
      { id: 'soon', start: { dateTime: '2024-01-01T00:05:00Z' }, end: { dateTime: '2024-01-01T00:06:00Z' } },
      { id: 'past', start: { dateTime: '2023-12-31T23:00:00Z' }, end: { dateTime: '2024-01-01T01:00:00Z' } },
    ];
    const parameters = { calendarId: 'me', triggerOn: 'eventStarted' };
    const polls = new Polls('googleCalendarTrigger', 'googleCalendarOAuth2Api', parameters, () => ({
      body: { items },
    }));
    expect(await polls.items(0)).toEqual([]);
    expect(await polls.items(4)).toEqual([]);
    expect(await polls.items(5)).toMatchObject([{ id: 'soon' }]);
    expect(await polls.items(6)).toEqual([]);
  });

  it('starts a run again for an event that was moved', async () => {
    const event = { id: 'moved', start: { dateTime: '2024-01-01T00:05:00Z' } };
    const parameters = { calendarId: 'me', triggerOn: 'eventStarted' };
    const polls = new Polls('googleCalendarTrigger', 'googleCalendarOAuth2Api', parameters, () => ({
      body: { items: [event] },
    }));
    await polls.items(0);
    expect(await polls.items(5)).toMatchObject([{ id: 'moved' }]);
    event.start.dateTime = '2024-01-01T00:10:00Z';
    expect(await polls.items(9)).toEqual([]);
    expect(await polls.items(10)).toMatchObject([{ id: 'moved' }]);
  });

  it('tells updated events from created ones', async () => {
    const created = '2024-01-01T00:01:00.100Z';
    const items = [
      { id: 'new', created, updated: '2024-01-01T00:01:00.900Z' },
      { id: 'changed', created: '2023-01-01T00:00:00Z', updated: '2024-01-01T00:01:00Z' },
    ];
    const polled = async (triggerOn: string) => {
      const parameters = { calendarId: 'me', triggerOn };
      const polls = new Polls('googleCalendarTrigger', 'googleCalendarOAuth2Api', parameters, () => ({
        body: { items },
      }));
      await polls.items(0);
      return polls.items(2);
    };
    expect(await polled('eventCreated')).toMatchObject([{ id: 'new' }]);
    expect(await polled('eventUpdated')).toMatchObject([{ id: 'changed' }]);
  });
});

describe('the Notion trigger', () => {
  const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();
  const page = (id: string, created: number, edited = created) => ({
    object: 'page',
    id,
    created_time: at(created),
    last_edited_time: at(edited),
    properties: { Name: { type: 'title', title: [{ plain_text: id }] } },
  });
  let results: ReturnType<typeof page>[];
  const watch = (event: string) =>
    new Polls('notionTrigger', 'notionOAuth2Api', { authentication: 'oAuth2', dataSourceId: 'd1', event }, () => ({
      body: { results },
    }));

  it('starts runs with the pages of a minute that has ended, each once', async () => {
    results = [page('old', -5)];
    const polls = watch('pageAddedToDatabase');
    expect(await polls.items(0.5)).toEqual([]);
    results = [page('a', 0), ...results];
    expect(await polls.items(0.8)).toEqual([]);
    expect(await polls.items(1)).toEqual([{ id: 'a', Name: 'a' }]);
    results = [page('b', 1), ...results];
    expect(await polls.items(2)).toEqual([{ id: 'b', Name: 'b' }]);
    expect(await polls.items(3)).toEqual([]);
  });

  it('starts runs with pages each time that they are edited', async () => {
    results = [page('a', -5)];
    const polls = watch('pagedUpdatedInDatabase');
    await polls.items(0);
    results = [page('a', -5, 1)];
    expect(await polls.items(2)).toEqual([{ id: 'a', Name: 'a' }]);
    results = [page('a', -5, 2)];
    expect(await polls.items(3)).toEqual([{ id: 'a', Name: 'a' }]);
    expect(await polls.items(4)).toEqual([]);
  });
});

describe('the Airtable trigger', () => {
  it('starts runs with records whose time is later than that of the last one', async () => {
    const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();
    let records: { id: string; fields: { Changed?: string } }[] = [{ id: 'old', fields: { Changed: at(-1) } }];
    const authentication = 'airtableOAuth2Api';
    const parameters = { authentication, baseId: 'app1', tableId: 'tbl1', triggerField: 'Changed' };
    const polls = new Polls('airtableTrigger', authentication, parameters, () => ({ body: { records } }));
    expect(await polls.items(0)).toEqual([]);
    records = [{ id: 'new', fields: { Changed: at(1) } }, { id: 'never', fields: {} }, ...records];
    expect(await polls.items(2)).toEqual([{ id: 'new', fields: { Changed: at(1) } }]);
    expect(await polls.items(3)).toEqual([]);
    expect(new URL(polls.urls.at(-1) ?? '').searchParams.get('filterByFormula')).toBe(
      'IS_AFTER({Changed}, DATETIME_PARSE("2024-01-01 00:00:59", "YYYY-MM-DD HH:mm:ss"))',
    );
    records = [{ id: 'new', fields: { Changed: at(4) } }];
    expect(await polls.items(5)).toEqual(records);
  });
});

describe('the Google Sheets trigger', () => {
  let values: unknown[][];
  let polls: Polls;
  const watch = (event: string, more: JsonObject = {}) => {
    polls = new Polls(
      'googleSheetsTrigger',
      'googleSheetsTriggerOAuth2Api',
      { documentId: 'D1', sheetName: 'gid=0', event, ...more },
      ({ pathname }) =>
        pathname.includes('/values/')
          ? { body: { values } }
          : { body: { sheets: [{ properties: { sheetId: 0, title: 'Orders' } }] } },
    );
  };
  beforeEach(() => {
    values = [
      ['id', 'state'],
      ['1', 'new'],
      ['2', 'new'],
    ];
  });

  it('starts runs with added rows, without the number of the row', async () => {
    watch('rowAdded');
    expect(await polls.items(0)).toEqual([]);
    values = [...values, [], ['3', 'new']];
    expect(await polls.items(1)).toEqual([{ id: '3', state: 'new' }]);
    values = values.map((row) => (row[0] === '1' ? ['1', 'paid'] : row));
    expect(await polls.items(2)).toEqual([]);
  });

  it('starts runs with added and updated rows, with number and kind of the change', async () => {
    watch('anyUpdate');
    await polls.items(0);
    values = [['id', 'state'], ['1', 'paid'], ['2', 'new'], ['3']];
    expect(await polls.items(1)).toEqual([
      { row_number: 2, change_type: 'updated', id: '1', state: 'paid' },
      { row_number: 4, change_type: 'added', id: '3', state: '' },
    ]);
    expect(await polls.items(2)).toEqual([]);
  });

  it('watches only some columns', async () => {
    watch('rowUpdate', { options: { columnsToWatch: ['id'] } });
    await polls.items(0);
    values = [
      ['id', 'state'],
      ['1', 'paid'],
      ['9', 'new'],
    ];
    expect(await polls.items(1)).toEqual([{ row_number: 3, change_type: 'updated', id: '9', state: 'new' }]);
  });

  it('starts over with another sheet', async () => {
    watch('anyUpdate');
    await polls.items(0);
    polls.parameters = { ...polls.parameters, documentId: 'D2' };
    values = [['id'], ['7']];
    expect(await polls.items(1)).toEqual([]);
    values = [['id'], ['7'], ['8']];
    expect(await polls.items(2)).toMatchObject([{ id: '8' }]);
  });

  it('refuses more than 50,000 rows', async () => {
    watch('anyUpdate');
    values = Array.from({ length: 50_002 }, (_, index) => [index]);
    expect((await polls.run(0)).error?.message).toBe('The list has 50001 entries.');
  });
});
