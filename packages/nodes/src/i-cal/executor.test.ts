import type { JsonObject } from '@weft/node-catalogue';
import { memoryFiles } from '@weft/engine/testing';
import { runKind } from '../testing/cases/run-kind';

/** The content of the file with folded lines joined. */
const textOf = async (parameters: JsonObject): Promise<string> => {
  const files = memoryFiles();
  const { items, error } = await runKind('iCal', { parameters, files });
  if (error !== undefined) throw new Error(error.message);
  const file = items[0]?.[0]?.binary?.['data'];
  return file === undefined
    ? ''
    : Buffer.from(await files.read(file))
        .toString('utf8')
        .replace(/\r\n /g, '');
};

describe('iCal', () => {
  it('writes the given fields of the event', async () => {
    const files = memoryFiles();
    const parameters = {
      title: 'Launch of {{ }}',
      start: '2024-01-03T10:00:00',
      end: '2024-01-03T11:00:00',
      binaryPropertyName: 'event',
      additionalFields: {
        location: 'Pad 39',
        attendeesUi: { attendeeValues: [{ name: 'Ada', email: 'ada@weft.example' }] },
        fileName: 'launch.ics',
        busyStatus: 'TENTATIVE',
        useWorkflowTimezone: true,
      },
    };
    const { items } = await runKind('iCal', { parameters, files, timezone: 'Europe/Berlin' });
    const file = items[0]?.[0]?.binary?.['event'];
    expect(file).toMatchObject({ fileName: 'launch.ics', mimeType: 'text/calendar' });
    const text = file === undefined ? '' : Buffer.from(await files.read(file)).toString('utf8');
    for (const line of [
      'BEGIN:VEVENT',
      'DTSTART:20240103T090000Z',
      'DTEND:20240103T100000Z',
      'SUMMARY:Launch of {{ }}',
      'LOCATION:Pad 39',
      'X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE',
    ])
      expect(text).toContain(line);
    expect(text.replace(/\r\n /g, '')).toContain('MAILTO:ada@weft.example');
  });

  it('lasts until the end of its last day, and ends at its start time by default', async () => {
    const day = await textOf({ start: '2024-01-03', end: '2024-01-04', allDay: true });
    expect(day).toContain('DTSTART;VALUE=DATE:20240103');
    expect(day).toContain('DTEND;VALUE=DATE:20240105');
    const moment = await textOf({ start: '2024-01-03T10:00:00Z' });
    expect(moment).toContain('DTEND:20240103T100000Z');
  });

  it.each(['title', 'description', 'location', 'url', 'uid', 'calName', 'recurrenceRule', 'status', 'busyStatus'])(
    'adds no line from %s',
    async (name) => {
      const value = 'x\r\nX-OWN:1';
      const event = { start: '2024-01-03', end: '2024-01-04', title: 'T' };
      const text = await textOf(
        name === 'title' ? { ...event, title: value } : { ...event, additionalFields: { [name]: value } },
      );
      expect(text).toContain('BEGIN:VEVENT');
      expect(text).not.toMatch(/^X-OWN/m);
    },
  );

  it('quotes the names of people if needed', async () => {
    const name = 'A "B"; C\r\nX-OWN:1';
    const people = [{ name, email: 'a@weft.example\r\nX-OWN:1' }];
    const text = await textOf({
      start: '2024-01-03',
      end: '2024-01-04',
      additionalFields: {
        attendeesUi: { attendeeValues: people },
        organizerUi: { organizerValues: { name: 'Ada', email: 'ada@weft.example\nX-OWN:1' } },
      },
    });
    expect(text).toContain(`ATTENDEE;CN="A 'B'; C X-OWN:1";`);
    expect(text).toContain('ORGANIZER;CN=Ada:');
    expect(text).not.toMatch(/^X-OWN/m);
  });
});
