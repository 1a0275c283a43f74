import type { Conditions, ParameterDescriptor } from '@weft/node-catalogue';
import { flag, text } from './build-parameters';

const PERSON: readonly ParameterDescriptor[] = [
  text('name', 'Name'),
  text('email', 'E-mail address', '', { placeholder: 'ada@example.com' }),
];

/** The parameters that describe one event of a calendar. */
export const eventParameters = (shownWhen: Conditions = {}): readonly ParameterDescriptor[] => [
  { name: 'title', help: 'Title of the event.', label: 'Title', type: 'string', default: '', shownWhen },
  {
    name: 'start',
    help: 'Start of the event.',
    label: 'Start',
    type: 'dateTime',
    default: '',
    required: true,
    shownWhen,
  },
  { name: 'end', help: 'End of the event.', label: 'End', type: 'dateTime', default: '', required: true, shownWhen },
  {
    name: 'allDay',
    help: 'Whether the event lasts all day.',
    label: 'All day',
    type: 'boolean',
    default: false,
    shownWhen,
  },
  {
    name: 'additionalFields',
    label: 'Options',
    help: 'Additional properties of the event.',
    type: 'collection',
    default: {},
    shownWhen,
    fields: [
      {
        name: 'attendeesUi',
        label: 'Attendees',
        type: 'fixedCollection',
        multiple: true,
        groups: [{ name: 'attendeeValues', label: 'Attendee', fields: [...PERSON, flag('rsvp', 'RSVP', false)] }],
      },
      {
        name: 'organizerUi',
        label: 'Organizer',
        type: 'fixedCollection',
        groups: [{ name: 'organizerValues', label: 'Organizer', fields: PERSON }],
      },
      {
        name: 'geolocationUi',
        label: 'Geolocation',
        type: 'fixedCollection',
        groups: [
          {
            name: 'geolocationValues',
            label: 'Geolocation',
            fields: [text('lat', 'Latitude'), text('lon', 'Longitude')],
          },
        ],
      },
      {
        name: 'busyStatus',
        label: 'Busy status',
        type: 'options',
        default: '',
        help: 'How programs of Microsoft show the time of the event.',
        options: [
          { value: 'BUSY', label: 'Busy' },
          { value: 'TENTATIVE', label: 'Tentative' },
        ],
      },
      text('calName', 'Calendar name'),
      text('description', 'Description', '', { editor: 'multiline' }),
      text('fileName', 'File name'),
      text('location', 'Place'),
      text('recurrenceRule', 'Recurrence rule', '', { placeholder: 'FREQ=WEEKLY;COUNT=10' }),
      { name: 'sequence', label: 'Sequence', type: 'number', default: 0 },
      text('status', 'Status'),
      text('uid', 'Id'),
      text('url', 'Address'),
      {
        ...flag('useWorkflowTimezone', 'Use workflow timezone', false),
        help: 'Has no effect: times without an offset are in the time zone of the workflow.',
      },
    ],
  },
];
