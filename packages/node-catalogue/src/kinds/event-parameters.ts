import type { Conditions, ParameterDescriptor } from '../descriptor';
import { flag, text } from './build-parameters';

const PERSON: readonly ParameterDescriptor[] = [text('name', 'Name'), text('email', 'E-mail address')];

/** The parameters that describe one event of a calendar. */
export const eventParameters = (shownWhen: Conditions = {}): readonly ParameterDescriptor[] => [
  { name: 'title', help: 'What the event is called.', label: 'Title', type: 'string', default: '', shownWhen },
  {
    name: 'start',
    help: 'When the event begins.',
    label: 'Start',
    type: 'dateTime',
    default: '',
    required: true,
    shownWhen,
  },
  { name: 'end', help: 'When the event ends.', label: 'End', type: 'dateTime', default: '', required: true, shownWhen },
  {
    name: 'allDay',
    help: 'The event has no time of day.',
    label: 'Whole day',
    type: 'boolean',
    default: false,
    shownWhen,
  },
  {
    name: 'additionalFields',
    label: 'More',
    help: 'What else there is to the event.',
    type: 'collection',
    default: {},
    shownWhen,
    fields: [
      {
        name: 'attendeesUi',
        label: 'Attendees',
        type: 'fixedCollection',
        multiple: true,
        groups: [
          { name: 'attendeeValues', label: 'Attendee', fields: [...PERSON, flag('rsvp', 'Asked to answer', false)] },
        ],
      },
      {
        name: 'organizerUi',
        label: 'Organizer',
        type: 'fixedCollection',
        groups: [{ name: 'organizerValues', label: 'Organizer', fields: PERSON }],
      },
      {
        name: 'geolocationUi',
        label: 'Position',
        type: 'fixedCollection',
        groups: [
          { name: 'geolocationValues', label: 'Position', fields: [text('lat', 'Latitude'), text('lon', 'Longitude')] },
        ],
      },
      text('calName', 'Name of the calendar'),
      text('description', 'Description'),
      text('fileName', 'Name of the file'),
      text('location', 'Place'),
      text('recurrenceRule', 'Recurrence rule'),
      { name: 'sequence', label: 'Sequence', type: 'number', default: 0 },
      text('status', 'Status'),
      text('uid', 'Id'),
      text('url', 'Address'),
    ],
  },
];
