import type { Json } from '@weft/node-catalogue';
import { convertIcsCalendar, convertIcsRecurrenceRule, generateIcsCalendar, type IcsDateObject } from 'ts-ics';
import type { WriteCalendarTask } from './tasks';

/** The parsed iCalendar file: `events` with `summary`, `start`, `end` and so on. */
export const readCalendar = ({ text }: { readonly text: string }): Json => {
  const calendar: Json = JSON.parse(JSON.stringify(convertIcsCalendar(undefined, text)));
  return calendar;
};

/** The library writes values unescaped, so a line break would start a new property. */
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f]+/g, ' ');

/** A person's name, quoted if needed. A name cannot contain quotes. */
const safePerson = <Person extends { readonly name: string; readonly email: string }>(person: Person): Person => {
  const name = oneLine(person.name).replaceAll('"', "'");
  return { ...person, name: /[,;:]/.test(name) ? `"${name}"` : name, email: oneLine(person.email) };
};

/** Writes an iCalendar file with one event. */
export const writeCalendar = (task: WriteCalendarTask): Uint8Array => {
  const {
    summary,
    uid,
    description,
    location,
    url,
    status,
    sequence,
    geo,
    organizer,
    attendees,
    calendarName,
    recurrenceRule,
  } = task;
  const timeOf = (text: string): IcsDateObject =>
    task.allDay ? { date: new Date(text), type: 'DATE' } : { date: new Date(text) };
  const text = generateIcsCalendar({
    version: '2.0',
    prodId: '-//weft//workflow//EN',
    method: 'PUBLISH',
    ...(calendarName === undefined ? {} : { name: oneLine(calendarName) }),
    events: [
      {
        summary,
        uid: oneLine(uid),
        stamp: { date: new Date(task.stamp) },
        start: timeOf(task.start),
        end: timeOf(task.end),
        ...(description === undefined ? {} : { description }),
        ...(location === undefined ? {} : { location }),
        ...(url === undefined ? {} : { url: oneLine(url) }),
        ...(status === undefined ? {} : { status }),
        ...(sequence === undefined ? {} : { sequence }),
        ...(geo === undefined ? {} : { geo: `${geo.lat};${geo.lon}` }),
        ...(organizer === undefined ? {} : { organizer: safePerson(organizer) }),
        ...(attendees.length === 0 ? {} : { attendees: attendees.map(safePerson) }),
        ...(recurrenceRule === undefined
          ? {}
          : { recurrenceRule: convertIcsRecurrenceRule(undefined, { value: recurrenceRule }) }),
      },
    ],
  });
  const busy = task.busyStatus === undefined ? '' : `X-MICROSOFT-CDO-BUSYSTATUS:${task.busyStatus}\r\n`;
  return Buffer.from(text.replace(/^END:VEVENT/m, `${busy}END:VEVENT`));
};
