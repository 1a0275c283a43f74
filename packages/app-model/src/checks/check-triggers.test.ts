import { kindsOf } from '../kinds-of';
import { checkApp } from './check-app';

const textOf = (trigger: string, credential = 'stripeApi'): string => `weftApp: 1
name: pets
label: Pets
hosts: [api.pets.example]
credentials: { ${credential}: catalogue }
calls:
  api: { url: https://api.pets.example/v1 }
kinds:
  petsTrigger:
    label: Pets
    description: Waits for pets.
    versions: [1]
    groups: [trigger]
    credentials: [{ type: ${credential} }]
    parameters: []
    ${trigger}
`;

const problemsOf = (trigger: string): string => {
  const checked = checkApp('pets.yaml', textOf(trigger));
  return checked.kind === 'app' ? '' : checked.problems.map(({ path, message }) => `${path}: ${message}`).join('\n');
};

const REGISTER =
  'register: { call: api, path: /hooks, body: { url: "={{ $hook.url }}", secret: "={{ $hook.secret }}" } }';
const REMOVE = 'remove: { call: api, path: /hooks, query: { id: "={{ $hook.kept?.id }}" } }';
const VERIFY = 'verify: { header: x-secret, equals: secret }';
const ITEMS = 'items: "={{ [$request.body] }}"';
const webhook = (...parts: string[]): string => `webhook: { path: webhook, ${parts.join(', ')} }`;
const poll = (...parts: string[]): string => `poll: { call: api, path: /pets, ${parts.join(', ')} }`;

describe('the trigger of an app', () => {
  it.each([
    ['poll', poll('list: pets', 'key: "={{ $entry.id }}"', 'newest: "={{ $entry.at }}"')],
    ['webhook', webhook(REGISTER, REMOVE, VERIFY, ITEMS)],
  ])('that a user adds is refused: nothing would start its %s', (block, trigger) => {
    expect(checkApp('pets.yaml', textOf(trigger), 'user')).toMatchObject({
      problems: [{ path: `kinds.petsTrigger.${block}`, message: expect.stringContaining('cannot have triggers') }],
    });
  });

  it('that receives calls, or polls, is a kind without inputs', () => {
    const triggers = [
      webhook(REGISTER, REMOVE, VERIFY, ITEMS),
      webhook(REGISTER, REMOVE, 'verify: { scheme: github, signedWith: secret }', ITEMS),
      webhook('verify: { scheme: github, key: secretKey }', 'steps: [{ as: pet, call: api, path: /pet }]', ITEMS),
      poll('list: pets', 'key: "={{ $entry.id }}"', 'newest: "={{ $entry.at }}"'),
    ];
    for (const trigger of triggers) {
      const checked = checkApp('pets.yaml', textOf(trigger));
      expect(checked).toMatchObject({ kind: 'app' });
      if (checked.kind === 'app') expect(kindsOf(checked.app)).toMatchObject([{ isTrigger: true, inputs: [] }]);
    }
  });

  it.each<[string, string, string]>([
    [
      'with operations as well',
      `${webhook(VERIFY, ITEMS)}\n    operations: { default: { call: api } }`,
      'A kind has either',
    ],
    ['without any way to start', 'differs: []', 'A kind has either'],
    ['that registers and never removes', webhook(REGISTER, VERIFY, ITEMS), '`remove` is missing'],
    [
      'that checks what it does not register',
      webhook('check: { call: api, valid: "={{ true }}" }', VERIFY, ITEMS),
      'need `register`',
    ],
    [
      'that registers without a request',
      webhook('register: { keep: 1 }', REMOVE, VERIFY, ITEMS),
      'It needs either `call` or `steps`.',
    ],
    [
      'with an unknown call',
      webhook(REGISTER.replace('call: api', 'call: apo'), REMOVE, VERIFY, ITEMS),
      'There is no call apo.',
    ],
    [
      'that reads a call outside of runs',
      webhook(REGISTER.replace('$hook.url', '$request.body'), REMOVE, VERIFY, ITEMS),
      '`$request`, which is not known here',
    ],
    [
      'that shows its secret to runs',
      webhook(REGISTER, REMOVE, VERIFY, 'items: "={{ [$hook.secret] }}"'),
      '`$hook`, which is not known here',
    ],
    [
      'with a key that the credential does not have',
      webhook('verify: { scheme: slack, key: nothing }', ITEMS),
      'The credential has no such field.',
    ],
    ['without a way to recognize calls', webhook(ITEMS), '`verify` is missing'],
    ['with an unknown scheme', webhook('verify: { scheme: rot13, key: secretKey }', ITEMS), 'verify'],
    [
      'that polls without times and without changes',
      poll('list: pets', 'key: "={{ $entry.id }}"'),
      'either `newest` or `changes`',
    ],
    [
      'that polls a key that is not there',
      poll('list: pets', 'key: "={{ $item.id }}"', 'newest: "={{ 1 }}"'),
      '`$item`, which is not known here',
    ],
    [
      'that registers in a step for each entry',
      webhook('register: { steps: [{ as: made, call: api, forEach: "={{ $p.ids }}" }] }', REMOVE, VERIFY, ITEMS),
      'webhook.register.steps[0].forEach: A step does not have it here.',
    ],
    [
      'that polls after a step that is sent once',
      poll('steps: [{ as: all, call: api, once: true }]', 'list: pets', 'key: "={{ 1 }}"', 'newest: "={{ 1 }}"'),
      'poll.steps[0].once: A step does not have it here.',
    ],
    [
      'that reads a list for each entry of a poll',
      poll('list: pets', 'each: [{ as: all, call: api, list: pets }]', 'key: "={{ 1 }}"', 'newest: "={{ 1 }}"'),
      'poll.each[0].list: A step does not have it here.',
    ],
    [
      'that names a step for each entry as one before the list',
      poll(
        'steps: [{ as: pet, call: api }]',
        'list: pets',
        'each: [{ as: pet, call: api }]',
        'key: "={{ 1 }}"',
        'newest: "={{ 1 }}"',
      ),
      'poll.each[0].as: A step before the list has the name pet.',
    ],
    [
      'that bounds the changes of a list without times',
      poll('list: pets', 'key: "={{ 1 }}"', 'changes: "={{ \'added\' }}"', 'max: "={{ 5 }}"'),
      'poll.max: Only a poll with `newest` has a `max`.',
    ],
    [
      'that polls unknown pages',
      poll('list: pets', 'pages: next', 'key: "={{ $entry.id }}"', 'newest: "={{ 1 }}"'),
      'There are no pages next.',
    ],
  ])('%s is refused', (_what, trigger, message) => {
    expect(problemsOf(trigger)).toContain(message);
  });
});
