/* Generated from packages/apps/slack/app.yaml by `npm run apps:gen`. Do not edit. */
import type { KindDescriptor } from '@weft/node-catalogue';
export const slackKinds: readonly KindDescriptor[] = [
  {
    kind: 'slack',
    label: 'Slack',
    description: 'Posts messages, uploads files, and reads channels and users of a Slack workspace.',
    versions: [2, 2.1, 2.2, 2.3, 2.4],
    groups: ['output'],
    isTrigger: false,
    inputs: ['main'],
    outputs: ['main'],
    credentials: [
      { type: 'slackApi', required: true, shownWhen: { authentication: ['accessToken'] } },
      { type: 'slackOAuth2Api', required: true, shownWhen: { authentication: ['oAuth2'] } },
    ],
    parameters: [
      {
        name: 'authentication',
        label: 'Authentication',
        type: 'options',
        default: 'accessToken',
        help: 'How the node signs in.',
        options: [
          { value: 'accessToken', label: 'Access token' },
          { value: 'oAuth2', label: 'OAuth2' },
        ],
      },
      {
        name: 'resource',
        label: 'Resource',
        type: 'options',
        default: 'message',
        help: 'Resource that the operation is about.',
        options: [
          { value: 'channel', label: 'Channel' },
          { value: 'file', label: 'File' },
          { value: 'message', label: 'Message' },
          { value: 'reaction', label: 'Reaction' },
          {
            value: 'star',
            label: 'Star',
            refused:
              'The resource "Star" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          { value: 'user', label: 'User' },
          {
            value: 'userGroup',
            label: 'User group',
            refused:
              'The resource "User group" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
        ],
      },
      {
        name: 'operation',
        label: 'Operation',
        type: 'options',
        default: 'post',
        help: 'Operation of the node.',
        shownWhen: { resource: ['message'] },
        options: [
          {
            value: 'delete',
            label: 'Delete',
            refused:
              'The operation "Delete" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'getPermalink',
            label: 'Get permalink',
            refused:
              'The operation "Get permalink" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'search',
            label: 'Search',
            refused:
              'The operation "Search" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          { value: 'post', label: 'Send' },
          {
            value: 'schedule',
            label: 'Schedule',
            refused:
              'The operation "Schedule" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'sendAndWait',
            label: 'Send and wait for response',
            refused:
              'The operation "Send and wait for response" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'update',
            label: 'Update',
            refused:
              'The operation "Update" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
        ],
      },
      {
        name: 'operation',
        label: 'Operation',
        type: 'options',
        default: 'create',
        help: 'Operation of the node.',
        shownWhen: { resource: ['channel'] },
        options: [
          {
            value: 'archive',
            label: 'Archive',
            refused:
              'The operation "Archive" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'close',
            label: 'Close',
            refused:
              'The operation "Close" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          { value: 'create', label: 'Create' },
          {
            value: 'get',
            label: 'Get',
            refused:
              'The operation "Get" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          { value: 'getAll', label: 'Get many' },
          { value: 'history', label: 'History' },
          {
            value: 'invite',
            label: 'Invite',
            refused:
              'The operation "Invite" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'join',
            label: 'Join',
            refused:
              'The operation "Join" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'kick',
            label: 'Kick',
            refused:
              'The operation "Kick" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'leave',
            label: 'Leave',
            refused:
              'The operation "Leave" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'member',
            label: 'Member',
            refused:
              'The operation "Member" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'open',
            label: 'Open',
            refused:
              'The operation "Open" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'rename',
            label: 'Rename',
            refused:
              'The operation "Rename" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'replies',
            label: 'Replies',
            refused:
              'The operation "Replies" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'setPurpose',
            label: 'Set purpose',
            refused:
              'The operation "Set purpose" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'setTopic',
            label: 'Set topic',
            refused:
              'The operation "Set topic" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'unarchive',
            label: 'Unarchive',
            refused:
              'The operation "Unarchive" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
        ],
      },
      {
        name: 'operation',
        label: 'Operation',
        type: 'options',
        default: 'upload',
        help: 'Operation of the node.',
        shownWhen: { resource: ['file'] },
        options: [
          {
            value: 'get',
            label: 'Get',
            refused:
              'The operation "Get" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'getAll',
            label: 'Get many',
            refused:
              'The operation "Get many" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          { value: 'upload', label: 'Upload' },
        ],
      },
      {
        name: 'operation',
        label: 'Operation',
        type: 'options',
        default: 'add',
        help: 'Operation of the node.',
        shownWhen: { resource: ['reaction'] },
        options: [
          { value: 'add', label: 'Add' },
          {
            value: 'get',
            label: 'Get',
            refused:
              'The operation "Get" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'remove',
            label: 'Remove',
            refused:
              'The operation "Remove" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
        ],
      },
      {
        name: 'operation',
        label: 'Operation',
        type: 'options',
        default: 'info',
        help: 'Operation of the node.',
        shownWhen: { resource: ['user'] },
        options: [
          { value: 'info', label: 'Get' },
          {
            value: 'getAll',
            label: 'Get many',
            refused:
              'The operation "Get many" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'getProfile',
            label: 'Get profile',
            refused:
              'The operation "Get profile" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'getPresence',
            label: 'Get presence',
            refused:
              'The operation "Get presence" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'lookupByEmail',
            label: 'Find by email address',
            refused:
              'The operation "Find by email address" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
          {
            value: 'updateProfile',
            label: 'Update profile',
            refused:
              'The operation "Update profile" of Slack is not available yet. Call the API with an "httpRequest" node and a credential of type slackApi.',
          },
        ],
      },
      {
        name: 'channelId',
        label: 'Channel',
        type: 'string',
        default: '',
        required: true,
        help: 'Name of the new channel.',
        shownWhen: { resource: ['channel'], operation: ['create'] },
      },
      {
        name: 'channelVisibility',
        label: 'Visibility',
        type: 'options',
        default: 'public',
        help: 'Who can see the channel.',
        shownWhen: { resource: ['channel'], operation: ['create'] },
        options: [
          { value: 'public', label: 'Public' },
          { value: 'private', label: 'Private' },
        ],
      },
      {
        name: 'select',
        label: 'Send to',
        type: 'options',
        default: '',
        required: true,
        help: 'Whether the message goes to a channel or a user.',
        shownWhen: { resource: ['message'], operation: ['post'] },
        options: [
          { value: 'channel', label: 'Channel' },
          { value: 'user', label: 'User' },
        ],
      },
      {
        name: 'channelId',
        label: 'Channel',
        type: 'resourceLocator',
        default: { mode: 'list', value: '' },
        required: true,
        help: 'The channel.',
        shownWhen: { resource: ['message'], operation: ['post'], select: ['channel'] },
        modes: [
          { name: 'list', label: 'From the list', list: 'channels' },
          { name: 'id', label: 'By id' },
          { name: 'name', label: 'By name' },
          { name: 'url', label: 'By address', extract: 'https://app.slack.com/client/.*/([a-zA-Z0-9]{2,})' },
        ],
      },
      {
        name: 'channelId',
        label: 'Channel',
        type: 'resourceLocator',
        default: { mode: 'list', value: '' },
        required: true,
        help: 'The channel.',
        shownWhen: { resource: ['channel'], operation: ['history'] },
        modes: [
          { name: 'list', label: 'From the list', list: 'channels' },
          { name: 'id', label: 'By id' },
          { name: 'name', label: 'By name' },
          { name: 'url', label: 'By address', extract: 'https://app.slack.com/client/.*/([a-zA-Z0-9]{2,})' },
        ],
      },
      {
        name: 'channelId',
        label: 'Channel',
        type: 'resourceLocator',
        default: { mode: 'list', value: '' },
        required: true,
        help: 'The channel.',
        shownWhen: { resource: ['reaction'], operation: ['add'] },
        modes: [
          { name: 'list', label: 'From the list', list: 'channels' },
          { name: 'id', label: 'By id' },
          { name: 'name', label: 'By name' },
          { name: 'url', label: 'By address', extract: 'https://app.slack.com/client/.*/([a-zA-Z0-9]{2,})' },
        ],
      },
      {
        name: 'user',
        label: 'User',
        type: 'resourceLocator',
        default: { mode: 'list', value: '' },
        help: 'The user.',
        shownWhen: { resource: ['message'], operation: ['post'], select: ['user'] },
        modes: [
          { name: 'list', label: 'From the list', list: 'users' },
          { name: 'id', label: 'By id' },
          { name: 'username', label: 'By user name' },
        ],
      },
      {
        name: 'user',
        label: 'User',
        type: 'resourceLocator',
        default: { mode: 'list', value: '' },
        help: 'The user.',
        shownWhen: { resource: ['user'], operation: ['info'] },
        modes: [
          { name: 'list', label: 'From the list', list: 'users' },
          { name: 'id', label: 'By id' },
          { name: 'username', label: 'By user name' },
        ],
      },
      {
        name: 'messageType',
        label: 'Message type',
        type: 'options',
        default: 'text',
        help: 'Form of the message.',
        shownWhen: { resource: ['message'], operation: ['post'] },
        options: [
          { value: 'text', label: 'Text' },
          { value: 'block', label: 'Blocks' },
          { value: 'attachment', label: 'Attachments' },
        ],
      },
      {
        name: 'text',
        label: 'Text',
        type: 'string',
        editor: 'multiline',
        default: '',
        required: true,
        help: 'Text of the message.',
        shownWhen: { resource: ['message'], operation: ['post'], messageType: ['text'] },
      },
      {
        name: 'blocksUi',
        label: 'Blocks',
        type: 'string',
        editor: 'json',
        default: '',
        required: true,
        help: 'A JSON object with `blocks`, as the Block Kit Builder gives it.',
        shownWhen: { resource: ['message'], operation: ['post'], messageType: ['block'] },
      },
      {
        name: 'text',
        label: 'Text of the notification',
        type: 'string',
        editor: 'multiline',
        default: '',
        help: 'Shown where blocks cannot be.',
        shownWhen: { resource: ['message'], operation: ['post'], messageType: ['block'] },
      },
      {
        name: 'attachments',
        label: 'Attachments',
        type: 'json',
        editor: 'json',
        default: [],
        help: "An array of Slack's older attachments.",
        shownWhen: { resource: ['message'], operation: ['post'], messageType: ['attachment'] },
      },
      {
        name: 'otherOptions',
        label: 'Options',
        type: 'collection',
        default: {},
        help: 'Further settings of the message.',
        shownWhen: { resource: ['message'], operation: ['post'] },
        fields: [
          { name: 'includeLinkToWorkflow', label: 'Link to the workflow', type: 'boolean', help: 'Has no effect.' },
          {
            name: 'botProfile',
            label: 'Picture of the bot',
            type: 'fixedCollection',
            groups: [
              {
                name: 'imageValues',
                label: 'Picture',
                fields: [
                  {
                    name: 'profilePhotoType',
                    label: 'Kind of picture',
                    type: 'options',
                    default: '',
                    options: [
                      { value: '', label: 'None' },
                      { value: 'image', label: 'Address of an image' },
                      { value: 'emoji', label: 'Emoji' },
                    ],
                  },
                  {
                    name: 'icon_emoji',
                    label: 'Emoji',
                    type: 'string',
                    default: '',
                    shownWhen: { profilePhotoType: ['emoji'] },
                  },
                  {
                    name: 'icon_url',
                    label: 'Address',
                    type: 'string',
                    default: '',
                    shownWhen: { profilePhotoType: ['image'] },
                  },
                ],
              },
            ],
          },
          { name: 'link_names', label: 'Link names', type: 'boolean' },
          {
            name: 'thread_ts',
            label: 'Reply to a message',
            type: 'fixedCollection',
            groups: [
              {
                name: 'replyValues',
                label: 'Message',
                fields: [
                  { name: 'thread_ts', label: 'Time stamp of the message', type: 'number' },
                  { name: 'reply_broadcast', label: 'Show in the channel too', type: 'boolean', default: false },
                ],
              },
            ],
          },
          { name: 'mrkdwn', label: 'Markdown', type: 'boolean' },
          { name: 'unfurl_links', label: 'Show previews of links', type: 'boolean' },
          { name: 'unfurl_media', label: 'Show previews of media', type: 'boolean' },
          {
            name: 'ephemeral',
            label: 'Visible to one user only',
            type: 'json',
            editor: 'json',
            help: 'True, or `ephemeralValues.user` for messages to a channel.',
          },
          { name: 'sendAsUser', label: 'Send as user', type: 'string' },
        ],
      },
      {
        name: 'binaryData',
        label: 'Binary file',
        type: 'boolean',
        default: false,
        until: 2.1,
        help: 'Whether to send a file of the item.',
        shownWhen: { resource: ['file'], operation: ['upload'] },
      },
      {
        name: 'fileContent',
        label: 'Content',
        type: 'string',
        default: '',
        until: 2.1,
        help: 'Text of the file.',
        shownWhen: { resource: ['file'], operation: ['upload'], binaryData: [false] },
      },
      {
        name: 'binaryPropertyName',
        label: 'Binary field',
        type: 'string',
        default: 'data',
        required: true,
        until: 2.1,
        help: 'Name of the binary field with the file.',
        shownWhen: { resource: ['file'], operation: ['upload'], binaryData: [true] },
      },
      {
        name: 'binaryPropertyName',
        label: 'Binary field',
        type: 'string',
        default: 'data',
        required: true,
        since: 2.2,
        help: 'Name of the binary field with the file.',
        shownWhen: { resource: ['file'], operation: ['upload'] },
      },
      {
        name: 'options',
        label: 'Options',
        type: 'collection',
        default: {},
        help: 'Further settings of the file.',
        shownWhen: { resource: ['file'], operation: ['upload'] },
        fields: [
          { name: 'channelIds', label: 'Channels', type: 'json', editor: 'json', until: 2.1, help: 'An array of ids.' },
          { name: 'channelId', label: 'Channel', type: 'string', since: 2.2, help: 'Id of the channel.' },
          { name: 'fileName', label: 'File name', type: 'string' },
          { name: 'initialComment', label: 'Comment', type: 'string' },
          { name: 'threadTs', label: 'Time stamp of the thread', type: 'string' },
          { name: 'title', label: 'Title', type: 'string' },
        ],
      },
      {
        name: 'returnAll',
        label: 'Return all',
        type: 'boolean',
        default: false,
        help: 'Whether to return all entries.',
        shownWhen: { resource: ['channel'], operation: ['getAll', 'history'] },
      },
      {
        name: 'limit',
        label: 'Limit',
        type: 'number',
        default: 50,
        help: 'Maximum number of entries.',
        shownWhen: { resource: ['channel'], operation: ['getAll', 'history'], returnAll: [false] },
      },
      {
        name: 'filters',
        label: 'Filters',
        type: 'collection',
        default: {},
        help: 'Which channels are returned.',
        shownWhen: { resource: ['channel'], operation: ['getAll'] },
        fields: [
          { name: 'excludeArchived', label: 'Without archived channels', type: 'boolean' },
          {
            name: 'types',
            label: 'Types',
            type: 'multiOptions',
            options: [
              { value: 'public_channel', label: 'Public channels' },
              { value: 'private_channel', label: 'Private channels' },
              { value: 'mpim', label: 'Messages to several users' },
              { value: 'im', label: 'Messages to a user' },
            ],
          },
        ],
      },
      {
        name: 'filters',
        label: 'Filters',
        type: 'collection',
        default: {},
        help: 'Which messages are returned.',
        shownWhen: { resource: ['channel'], operation: ['history'] },
        fields: [
          { name: 'inclusive', label: 'Including both ends', type: 'boolean' },
          { name: 'latest', label: 'Until', type: 'dateTime' },
          { name: 'oldest', label: 'From', type: 'dateTime' },
        ],
      },
      {
        name: 'timestamp',
        label: 'Time stamp of the message',
        type: 'number',
        required: true,
        help: 'The message.',
        shownWhen: { resource: ['reaction'], operation: ['add'] },
      },
      {
        name: 'name',
        label: 'Emoji',
        type: 'string',
        default: '',
        required: true,
        help: 'Name of the emoji, without colons.',
        shownWhen: { resource: ['reaction'], operation: ['add'] },
      },
    ],
    differs: [
      'No link to the workflow is added to messages; the option that controls it is accepted.',
      'A login with OAuth 2 must have been made in another system; see the credential type `slackOAuth2Api`.',
    ],
  },
];
