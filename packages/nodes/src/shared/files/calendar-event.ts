import { DateTime } from 'luxon';
import { randomUUID } from 'node:crypto';
import { runFormatTask } from '../file-formats/run-format-task';
import type { WriteCalendarTask } from '../file-formats/tasks';
import { type BinaryReference, NodeFailure } from '@weft/engine';
import { isObject } from '@weft/service-kit/json';
import { booleanParameter, numberParameter, objectsParameter, textParameter } from '../read-parameter';
import { type FileContext, storeFile } from './item-files';

const BUSY_STATUSES = ['BUSY', 'TENTATIVE'] as const;
const STATUSES = ['CONFIRMED', 'TENTATIVE', 'CANCELLED'] as const;

/** Writes the event that the parameters describe for one item. @throws NodeFailure for invalid times */
export async function writeEvent(context: FileContext, index: number): Promise<BinaryReference> {
  const bytes = await runFormatTask(context, 'writeCalendar', eventOf(context, index));
  return storeFile(
    context.ports.files,
    bytes,
    textParameter(context, 'additionalFields.fileName', index) || 'event.ics',
    'text/calendar',
  );
}

function eventOf(context: FileContext, index: number): WriteCalendarTask {
  const extra = (name: string): string => textParameter(context, `additionalFields.${name}`, index);
  const [description, location, url, recurrenceRule, calendarName] = [
    'description',
    'location',
    'url',
    'recurrenceRule',
    'calName',
  ].map(extra);
  const allDay = booleanParameter(context, 'allDay', index);
  const status = STATUSES.find((one) => one === extra('status').toUpperCase());
  const busyStatus = BUSY_STATUSES.find((one) => one === extra('busyStatus'));
  const geo = context.parameter('additionalFields.geolocationUi.geolocationValues', index);
  const [organizer] = people(context, index, 'additionalFields.organizerUi.organizerValues');
  const sequence = numberParameter(context, 'additionalFields.sequence', index);
  return {
    summary: textParameter(context, 'title', index),
    uid: extra('uid') || randomUUID(),
    start: timeOf(context, 'start', index, allDay).toISO(),
    end: endOf(context, index, allDay).toISO(),
    stamp: new Date(context.ports.clock.now()).toISOString(),
    allDay,
    ...(isGiven(description) ? { description } : {}),
    ...(isGiven(location) ? { location } : {}),
    ...(isGiven(url) ? { url } : {}),
    ...(isGiven(recurrenceRule) ? { recurrenceRule } : {}),
    ...(isGiven(calendarName) ? { calendarName } : {}),
    ...(busyStatus === undefined ? {} : { busyStatus }),
    ...(status === undefined ? {} : { status }),
    ...(sequence > 0 ? { sequence } : {}),
    ...(isObject(geo) ? { geo: { lat: Number(geo['lat']) || 0, lon: Number(geo['lon']) || 0 } } : {}),
    ...(organizer === undefined ? {} : { organizer: { name: organizer.name, email: organizer.email } }),
    attendees: people(context, index, 'additionalFields.attendeesUi.attendeeValues'),
  };
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function people(context: FileContext, index: number, path: string): { name: string; email: string; rsvp: boolean }[] {
  return objectsParameter(context, path, index).map(({ name, email, rsvp }) => ({
    name: String(name ?? ''),
    email: String(email ?? ''),
    rsvp: rsvp === true,
  }));
}

/** The end time; the start by default. An all-day event ends after its last day. */
function endOf(context: FileContext, index: number, allDay: boolean): DateTime<true> {
  const end = timeOf(context, textParameter(context, 'end', index) === '' ? 'start' : 'end', index, allDay);
  return allDay ? end.plus({ days: 1 }) : end;
}

/** Times without an offset are in the workflow's zone; an all-day event keeps its written date in any zone. */
function timeOf(context: FileContext, name: string, itemIndex: number, allDay: boolean): DateTime<true> {
  const text = textParameter(context, name, itemIndex);
  const time = DateTime.fromISO(text.replace(' ', 'T'), allDay ? { zone: 'utc' } : { zone: context.timezone });
  if (!time.isValid)
    throw new NodeFailure(`The parameter "${name}" must be a date and time, but it is "${text.slice(0, 100)}"`, {
      itemIndex,
    });
  return time.toUTC();
}
