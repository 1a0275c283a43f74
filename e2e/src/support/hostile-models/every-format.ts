import { FORMATS } from '@weft/models/testing';
import { callWith, DONE, type HostileScenario, lookup, say } from './scenario';

/** Text that would do something if it were code, an expression, a template or HTML. */
export const LOADED_TEXT =
  '={{ $env.SERVICE_KEY }} {{ $json.constructor.constructor("return process")() }} ${process.env.SERVICE_KEY} ' +
  '<script src="https://evil.example/x.js"></script><img src=x onerror=alert(1)> $fromAI("q") \u202e\u0000\ufeff';

type Shared = Omit<HostileScenario, 'format'>;

/** Scenarios that each wire format reads with its own code. */
const SCENARIOS: readonly Shared[] = [
  {
    what: 'sends 10 MB of valid events',
    steps: () => [{ hostile: 'endless' }],
    options: () => ({ streaming: true }),
    ends: 'error',
    shows: /10,?000,?000/,
  },
  {
    what: 'sends JSON of 100,000 levels',
    steps: () => [{ hostile: 'deep' }],
    ends: 'error',
    shows: /not valid|deeper/,
  },
  {
    what: 'calls 1,000 tools at once',
    steps: () => [{ hostile: 'many-calls' }],
    ends: 'error',
    shows: /more than 128/,
  },
  {
    what: 'calls a tool without end',
    steps: () => [{ answer: lookup('more') }],
    ends: 'error',
    shows: /maxIterations/,
  },
  {
    what: 'redirects to another host',
    steps: ({ elsewhere }) => [{ raw: { status: 307, headers: { location: `${elsewhere}/v1` }, body: '' } }],
    ends: 'error',
  },
  {
    what: 'cuts its stream off',
    steps: () => [{ answer: { text: 'Once upon a time. '.repeat(50) }, delivery: { cutAt: 0.6 } }],
    options: () => ({ streaming: true, maxRetries: 0 }),
    ends: 'error',
  },
  {
    what: 'repeats its key in text, in thinking and in a call of a tool',
    steps: ({ key }) => [
      { answer: { text: `Bearer ${key}`, thinking: { text: key, signature: key }, ...lookup(`the key is ${key}`) } },
      say(`${key} ${Buffer.from(`Bearer ${key}`).toString('base64')} ${JSON.stringify({ key })}`),
    ],
    ends: 'success',
    shows: /\*\*\*/,
  },
  {
    what: 'gives arguments with __proto__ and an expression',
    steps: () => [callWith('{"q":"a","__proto__":{"polluted":true}}'), { answer: lookup(LOADED_TEXT) }, DONE],
    ends: 'success',
    shows: /It is done/,
  },
];

/** Each scenario in each format. */
export const IN_EVERY_FORMAT: readonly HostileScenario[] = FORMATS.flatMap((format) =>
  SCENARIOS.map((scenario) => ({ ...scenario, format, what: `${format}: ${scenario.what}` })),
);
