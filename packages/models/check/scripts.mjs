export const SYSTEM = 'Be brief.';
export const QUESTION = 'How is the weather?';

/** Both as a conversation. */
export const MESSAGES = [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: QUESTION },
];

/** The tool that all clients are given. */
export const TOOL = {
  name: 'weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const usage = { input: 120, output: 45, cached: 100, reasoning: 20 };
const call = (id, input) => ({ id, name: 'weather', input });

/** Scripts of the stand-in, by what they show. */
export const SCRIPTS = {
  text: { answer: { text: 'Sunny in Zürich. ☀️', usage } },
  'long text': { answer: { text: 'One word after another. '.repeat(200), usage } },
  'one call': { answer: { toolCalls: [call('call_a', { city: 'Łódź "center"' })], usage } },
  'text and two calls': {
    answer: {
      text: 'I look it up.',
      toolCalls: [
        call('call_a', { city: 'Paris', days: [1, 2], exact: { yes: true } }),
        call('call_b', { city: '東京' }),
      ],
      usage,
    },
  },
  'thinking and a call': {
    answer: {
      thinking: { text: 'Which city? Paris, I think.', signature: 'c2lnbmF0dXJl' },
      text: 'Let me see.',
      toolCalls: [call('call_a', { city: 'Paris' })],
      usage,
    },
  },
  'thinking and text': {
    answer: { thinking: { text: 'Easy.', signature: 'c2lnbmF0dXJl' }, text: 'Rain.', usage },
  },
  'cut at the limit': { answer: { text: 'Half of it', finish: 'length', usage } },
  'byte by byte': {
    answer: { text: 'Très bien 🎉', toolCalls: [call('call_a', { city: 'Zürich' })], usage },
    delivery: { chunkBytes: 1 },
  },
};

/** Errors that all clients must refuse. */
export const ERRORS = {
  'wrong key': { error: { status: 401, code: 'invalid_api_key', message: 'Wrong key' } },
  'bad request': { error: { status: 400, message: 'Not like this' } },
  overloaded: { error: { status: 503, message: 'Too busy' } },
  'error in the stream': { answer: { text: 'Half of a story' }, errorInStream: { status: 500, message: 'Broken' } },
  'cut connection': { answer: { text: 'A long story. '.repeat(50) }, delivery: { cutAt: 0.5 } },
};
