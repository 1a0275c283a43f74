import { gzipSync } from 'node:zlib';
import { modelNode } from '../agents';
import { DONE, type HostileScenario, lookup } from './scenario';

/** 200 MB of zeros in 200 KB. */
const bomb = (): Buffer => gzipSync(Buffer.alloc(200_000_000));

/** Bodies, headers and redirects in place of a response, and addresses that lead elsewhere. */
export const HOSTILE_BODIES: readonly HostileScenario[] = [
  { what: 'one line without end', steps: () => [{ hostile: 'endless-line' }], ends: 'error', shows: /10,?000,?000/ },
  { what: 'HTML', steps: () => [{ hostile: 'not-json' }], ends: 'error', shows: /It begins: \\?"?<html>/ },
  {
    what: 'a compressed bomb',
    steps: () => [{ raw: { headers: { 'content-encoding': 'gzip' }, body: bomb() } }],
    ends: 'error',
  },
  {
    what: '500 headers',
    steps: () => [
      {
        raw: {
          headers: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x-${n}`, 'y'.repeat(200)])),
          body: '{}',
        },
      },
    ],
    options: () => ({ maxRetries: 0 }),
    ends: 'error',
  },
  {
    what: 'nothing',
    steps: () => [{ hostile: 'silent' }],
    options: () => ({ timeout: 2_000 }),
    ends: 'error',
    shows: /TIMEOUT/,
  },
  {
    what: 'one byte at a time',
    steps: () => [{ answer: { text: 'Slowly. '.repeat(100) }, delivery: { chunkBytes: 1, pauseMs: 100 } }],
    options: () => ({ timeout: 3_000, streaming: true }),
    ends: 'error',
    shows: /TIMEOUT/,
  },
  {
    what: 'an error with the key, at the end of 499 letters',
    steps: ({ key }) => [{ error: { status: 401, message: `${'x'.repeat(485)}${key}` } }],
    ends: 'error',
    shows: /UNAUTHORIZED/,
  },
  {
    what: 'an error of 9 MB of HTML with the key',
    steps: ({ key }) => [
      { raw: { status: 400, headers: { 'content-type': 'text/html' }, body: `<p>${key}</p>`.repeat(150_000) } },
    ],
    ends: 'error',
    shows: /BAD_REQUEST/,
  },
  {
    what: 'a wait of a year',
    steps: () => [{ error: { status: 429, message: 'Later', headers: { 'retry-after': '31536000' } } }],
    ends: 'error',
    shows: /RATE_LIMITED/,
  },
  {
    what: 'waits that are not times, and then a call with a key',
    steps: ({ key }) => [
      { error: { status: 503, message: key, headers: { 'retry-after': '-1e99' } } },
      { error: { status: 503, message: key, headers: { 'retry-after-ms': 'NaN' } } },
      { answer: lookup(key) },
      DONE,
    ],
    ends: 'success',
  },
  ...['http://169.254.169.254/latest/meta-data', 'file:///etc/passwd', 'http://[::ffff:169.254.169.254]/'].map(
    (location): HostileScenario => ({
      what: `a redirect to ${location}`,
      steps: () => [{ raw: { status: 308, headers: { location }, body: '' } }],
      ends: 'error',
    }),
  ),
  {
    what: 'a redirect to itself',
    steps: ({ self }) => [{ raw: { status: 307, headers: { location: `${self}/v1/chat/completions` }, body: '' } }],
    ends: 'error',
    shows: /redirect/,
  },
  {
    what: 'the address of another host, in the node',
    steps: () => [DONE],
    options: ({ elsewhere }) => ({ baseURL: `${elsewhere}/v1` }),
    ends: 'error',
    shows: /only to the host of the credential/,
  },
  {
    what: 'the address of another host, in the text that the workflow received',
    steps: () => [DONE],
    options: () => ({ baseURL: '={{ $json.elsewhere }}/v1' }),
    ends: 'error',
    shows: /only to the host of the credential/,
  },
  {
    what: 'an address with the host of the credential as its user',
    steps: () => [DONE],
    options: ({ self, elsewhere }) => ({ baseURL: `http://${new URL(self).host}@${new URL(elsewhere).host}/v1` }),
    ends: 'error',
  },
  {
    what: 'its key, to the OpenAI node with a tool',
    root: modelNode('Agent', 'openAi', 1.8, {
      resource: 'text',
      operation: 'message',
      modelId: { __rl: true, mode: 'id', value: 'gpt-test' },
      messages: { values: [{ content: 'Go on.' }] },
      options: {},
    }),
    steps: ({ key }) => [{ answer: lookup(key) }, { answer: { text: key } }],
    ends: 'success',
    shows: /\*\*\*/,
  },
];
