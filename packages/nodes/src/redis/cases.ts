import type { KindCases, NodeCase } from '../testing/cases/node-case';

const HOSTILE = 'k"\r\nSET hacked 1\r\n$3 ü';
const empty: NonNullable<NodeCase['given']> = [['FLUSHDB']];
const run = (
  operation: string,
  parameters: Record<string, unknown>,
  items: readonly Record<string, string>[] = [{}],
) => ({
  items: items.map((item) => ({ ...item })),
  parameters: JSON.parse(JSON.stringify({ operation, ...parameters })),
});

export const redisCases: KindCases = {
  kind: 'redis',
  database: 'redis',
  cases: [
    {
      it: 'outputs the values of keys of every type under a name with dots',
      versions: [1],
      given: [
        ...empty,
        ['SET', 's', 'text'],
        ['HSET', 'h', '__proto__', 'x', 'b', '2'],
        ['RPUSH', 'l', 'x', 'y'],
        ['SADD', 'm', 'one'],
      ],
      run: run('get', { key: '={{ $json.key }}', propertyName: 'data.value' }, [
        ...['s', 'h', 'l', 'm', 'none'].map((key) => ({ key })),
      ]),
      gives: [
        [
          { data: { value: 'text' } },
          {
            data: {
              value: Object.fromEntries([
                ['__proto__', 'x'],
                ['b', '2'],
              ]),
            },
          },
          { data: { value: ['x', 'y'] } },
          { data: { value: ['one'] } },
          { data: { value: null } },
        ],
      ],
      pairs: [[0, 1, 2, 3, 4].map((item) => ({ item }))],
    },
    {
      it: 'outputs a key of a given type under a dotted name',
      versions: [1],
      given: [...empty, ['RPUSH', 'l', 'x']],
      run: run('get', { key: 'l', keyType: 'list', propertyName: 'a.b', options: { dotNotation: false } }),
      gives: [[{ 'a.b': ['x'] }]],
    },
    {
      it: 'reports the type of the key if another one is given',
      versions: [1],
      given: [...empty, ['RPUSH', 'l', 'x']],
      run: run('get', { key: 'l', keyType: 'string' }),
      fails: 'WRONGTYPE',
    },
    {
      it: 'describes the server',
      versions: [1],
      run: run('info', {}),
      gives: [[expect.objectContaining({ redis_version: expect.anything() })]],
    },
    {
      it: 'writes strings of any content, and outputs its items',
      versions: [1],
      given: empty,
      run: run('set', { key: '={{ $json.key }}', value: '={{ $json.value }}' }, [{ key: HOSTILE, value: HOSTILE }]),
      gives: [[{ key: HOSTILE, value: HOSTILE }]],
      leaves: { ask: ['MGET', HOSTILE, 'hacked'], answer: [HOSTILE, null] },
    },
    {
      it: 'writes lists',
      versions: [1],
      given: [...empty, ['RPUSH', 'l', 'old', 'old', 'stays']],
      run: run('set', { key: 'l', value: '={{ ["a", { b: 1 }] }}' }),
      gives: [[{}]],
      leaves: { ask: ['LRANGE', 'l', '0', '-1'], answer: ['a', '{"b":1}', 'stays'] },
    },
    {
      it: 'writes lists that do not exist yet',
      versions: [1],
      given: empty,
      run: run('set', { key: 'l', keyType: 'list', value: '={{ [1, 2] }}' }),
      leaves: { ask: ['LRANGE', 'l', '0', '-1'], answer: ['1', '2'] },
      gives: [[{}]],
    },
    {
      it: 'writes hashes from objects, JSON and pairs of words',
      versions: [1],
      given: empty,
      run: run('set', { key: 'h', keyType: 'hash', value: '{"a":1,"b":{"c":2}}' }),
      leaves: { ask: ['HMGET', 'h', 'a', 'b'], answer: ['1', '{"c":2}'] },
      gives: [[{}]],
    },
    {
      it: 'writes hashes from pairs of words',
      versions: [1],
      given: empty,
      run: run('set', { key: 'h', keyType: 'hash', valueIsJSON: false, value: 'a 1 b 2' }),
      leaves: { ask: ['HMGET', 'h', 'a', 'b'], answer: ['1', '2'] },
      gives: [[{}]],
    },
    {
      it: 'rejects an invalid hash',
      versions: [1],
      given: empty,
      run: run('set', { key: 'h', keyType: 'hash', value: 'a 1' }),
      fails: 'The value must be a JSON object',
    },
    {
      it: 'writes sets, and lets keys expire',
      versions: [1],
      given: empty,
      run: run('set', { key: 'm', keyType: 'sets', value: '={{ ["x"] }}', expire: true, ttl: 0 }),
      leaves: { ask: ['EXISTS', 'm'], answer: 0 },
      gives: [[{}]],
    },
    {
      it: 'requires a type for a value that is not a string, array or object',
      versions: [1],
      run: run('set', { key: 'k', value: '={{ 5 }}' }),
      fails: 'Could not identify the type to set',
    },
    {
      it: 'increments, with a time to live',
      versions: [1],
      given: [...empty, ['SET', 'n', '41']],
      run: run('incr', { key: 'n', expire: true, ttl: 3600 }, [{}, {}]),
      gives: [[{ n: 42 }, { n: 43 }]],
      leaves: { ask: ['PERSIST', 'n'], answer: 1 },
    },
    {
      it: 'deletes a key and outputs its items',
      versions: [1],
      given: [...empty, ['SET', 'a', '1']],
      run: run('delete', { key: 'a' }, [{ a: 'b' }]),
      gives: [[{ a: 'b' }]],
      leaves: { ask: ['EXISTS', 'a'], answer: 0 },
    },
    {
      it: 'outputs matching keys, with or without their values',
      versions: [1],
      given: [...empty, ['SET', 'a:1', 'x'], ['RPUSH', 'a:2', 'y'], ['SET', 'b', 'z']],
      run: run('keys', { keyPattern: 'a:*' }),
      gives: [[{ 'a:1': 'x', 'a:2': ['y'] }]],
    },
    {
      it: 'outputs an array of keys',
      versions: [1],
      given: [...empty, ['SET', 'a', 'x']],
      run: run('keys', { keyPattern: '*', getValues: false }),
      gives: [[{ keys: ['a'] }]],
    },
    {
      it: 'pushes to both ends of lists',
      versions: [1],
      given: [...empty, ['RPUSH', 'l', 'm']],
      run: run('push', { list: 'l', messageData: '={{ $json.text }}', tail: '={{ $json.text === "z" }}' }, [
        { text: 'a' },
        { text: 'z' },
      ]),
      gives: [[{ text: 'a' }, { text: 'z' }]],
      leaves: { ask: ['LRANGE', 'l', '0', '-1'], answer: ['a', 'm', 'z'] },
    },
    {
      it: 'pops JSON and strings, and null from an empty list',
      versions: [1],
      given: [...empty, ['RPUSH', 'l', '{"a":1}', 'x']],
      run: run('pop', { list: 'l', propertyName: 'v' }, [{}, {}, {}]),
      gives: [[{ v: { a: 1 } }, { v: 'x' }, { v: null }]],
    },
    {
      it: 'outputs the length of a list',
      versions: [1],
      given: [...empty, ['RPUSH', 'l', 'a', 'b']],
      run: run('llen', { list: 'l' }),
      gives: [[{ l: 2 }]],
    },
    {
      it: 'publishes and outputs its items',
      versions: [1],
      run: run('publish', { channel: 'c', messageData: 'hello' }, [{ a: 'b' }]),
      gives: [[{ a: 'b' }]],
    },
    {
      it: 'outputs an error item, and continues',
      versions: [1],
      given: [...empty, ['SET', 'text', 'x'], ['SET', 'n', '1']],
      run: {
        ...run('incr', { key: '={{ $json.key }}' }, [{ key: 'text' }, { key: 'n' }]),
        node: { onError: 'continueRegularOutput' },
      },
      gives: [[{ error: 'ERR value is not an integer or out of range' }, { n: 2 }]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
  ],
};
