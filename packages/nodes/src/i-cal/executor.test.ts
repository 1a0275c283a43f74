import { memoryFiles } from '@weft/engine/testing';
import { runKind } from '../testing/run-kind';

describe('iCal', () => {
  it('writes the stated fields of the event', async () => {
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
});
