import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { checkApp } from './checks/check-app';
import { digestOf } from './canonical';
import { kindsOf } from './kinds-of';

/** An app without problems. @param changes lines to replace */
const appWith = (...changes: readonly (readonly [from: string, to: string])[]): string => {
  const text = `weftApp: 1
name: pets
label: Pets
hosts: [api.pets.example]
credentials: { stripeApi: catalogue }
calls:
  api: { url: https://api.pets.example/v1, failed: "={{ $response.body.ok === false }}" }
pages:
  next: { by: cursor, next: meta.next, into: query.cursor }
kinds:
  pets:
    label: Pets
    description: Reads pets.
    versions: [1, 2]
    groups: [input]
    credentials: [{ type: stripeApi }]
    parameters:
      - name: operation
        label: Operation
        type: options
        default: get
        options: [{ value: get, label: Get }, { value: list, label: List }, { value: feed, label: Feed }]
      - { name: id, label: Id, type: string }
    let: { id: "={{ $p.id }}" }
    operations:
      get:
        let: { twice: "={{ id + id }}" }
        call: api
        path: "={{ '/pets/' + $fn.path(twice) }}"
      list: { call: api, path: /pets, pages: next, list: pets }
`;
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`Not in the app: ${from}`);
    return changed.replace(from, to);
  }, text);
};

/** The change that gives the operation `list` the block `rows`. */
const ROWS = (mode: string, parts: string): readonly [string, string] => [
  'list: { call: api, path: /pets, pages: next, list: pets }',
  `list: { rows: { mode: ${mode}, read: { call: api, table: t }, ${parts} } }`,
];

/** The change that gives the operation `list` the block `send`. */
const SEND = (parts: string): readonly [string, string] => [
  'list: { call: api, path: /pets, pages: next, list: pets }',
  `list: { send: {}, ${parts} }`,
];

/** The change that gives the operation `list` a code step. @param more lines of the operation */
const CODE = (source: string, calls = '[api]', more = ''): readonly [string, string] => [
  '      list: { call: api, path: /pets, pages: next, list: pets }',
  [
    '      list:',
    `        ${more}`,
    '        code:',
    `          calls: ${calls}`,
    '          scripts: [shared]',
    '          source: |',
    ...source.split('\n').map((line) => `            ${line}`),
  ].join('\n'),
];
/** The change that adds the script of such a step, and removes the pages that nothing uses then. */
const SCRIPT = (text = 'const a = 1;'): readonly [string, string] => [
  'pages:\n  next: { by: cursor, next: meta.next, into: query.cursor }\n',
  `scripts:\n  shared: "${text}"\n`,
];
const NEXT = 'const next = () => ({});';

const problemsOf = (text: string): string[] => {
  const checked = checkApp('pets.yaml', text);
  return checked.kind === 'app' ? [] : checked.problems.map((one) => `${one.line} ${one.path}: ${one.message}`);
};

describe('an app file', () => {
  it('without problems is read', () => {
    expect(checkApp('pets.yaml', appWith())).toMatchObject({ kind: 'app', app: { name: 'pets', weftApp: 1 } });
  });

  it('may give the scopes of a service account', () => {
    const text = appWith(
      ['stripeApi: catalogue', 'googleApi: { scopes: [https://scope.example/a] }'],
      ['type: stripeApi', 'type: googleApi'],
    );
    expect(problemsOf(text)).toEqual([]);
  });

  it('may have code, with scripts that it shares', () => {
    expect(problemsOf(appWith(SCRIPT(), CODE(NEXT)))).toEqual([]);
  });

  it('gives kinds in which operations that are not built are refused by name', () => {
    const checked = checkApp('pets.yaml', appWith());
    const [kind] = checked.kind === 'app' ? kindsOf(checked.app) : [];
    expect(kind?.parameters[0]?.options?.map(({ refused }) => refused)).toEqual([
      undefined,
      undefined,
      'The operation "Feed" of Pets is not available yet. Call the API with an "httpRequest" node and a credential ' +
        'of type stripeApi.',
    ]);
  });

  it('has a digest that changes with its order, which has a meaning, and not with its form', () => {
    const digest = (text: string): string => {
      const checked = checkApp('pets.yaml', text);
      if (checked.kind !== 'app') throw new Error(checked.problems[0]?.message ?? '');
      return digestOf(checked.app);
    };
    const plain = digest(appWith());
    expect(plain).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(digest(appWith(['versions: [1, 2]', 'versions:\n      - 1\n      - 2']))).toBe(plain);
    expect(
      digest(appWith(['label: Pets\nhosts: [api.pets.example]', 'hosts: [api.pets.example]\nlabel: Pets'])),
    ).not.toBe(plain);
  });

  it.each<[string, readonly (readonly [string, string])[], string]>([
    ['that is not YAML', [['calls:', 'calls: {']], 'Flow map'],
    ['with a field twice', [['name: pets', 'name: pets\nname: pets']], 'Map keys must be unique'],
    [
      'with an unknown field',
      [['  next: {', '  other: { by: page }\n  next: { x: 1,']],
      '10 pages.next.x: The field is not known.',
    ],
    ['without a field', [['label: Pets\nhosts', 'hosts']], '1 : The field `label` is missing.'],
    ['with a wrong value', [['by: cursor', 'by: magic']], '9 pages.next.by: The value must be one of'],
    ['of another format', [['weftApp: 1', 'weftApp: 2']], '1 weftApp: The value must be 1.'],
    [
      'with an unknown call',
      [['call: api, path', 'call: apo, path']],
      '30 kinds.pets.operations.list.call: There is no call apo.',
    ],
    [
      'with scopes for a credential that takes none',
      [['stripeApi: catalogue', 'stripeApi: { scopes: [a] }']],
      '5 credentials.stripeApi: Only service accounts have `scopes`.',
    ],
    [
      'with a service account without scopes',
      [
        ['stripeApi: catalogue', 'googleApi: catalogue'],
        ['type: stripeApi', 'type: googleApi'],
      ],
      '5 credentials.googleApi: A service account needs `scopes`.',
    ],
    [
      'with a wrong use of a credential',
      [['stripeApi: catalogue', 'stripeApi: { scopes: ["a b"] }']],
      '5 credentials.',
    ],
    [
      'with a step that makes a list and a mail of a response',
      [['call: api\n', 'steps: [{ as: a, call: api, list: b, mail: { from: raw } }]\n']],
      '28 kinds.pets.operations.get.steps[0]: A step has one of `list`, `mail` and `file`.',
    ],
    [
      'with pages of a step that makes no list',
      [['call: api\n', 'steps: [{ as: a, call: api, pages: next }]\n']],
      'A step with `pages` needs a `list`.',
    ],
    [
      'with an entry outside of a repeated step',
      [['call: api\n', 'steps: [{ as: a, call: api, path: "={{ $entry }}" }]\n']],
      'The expression reads `$entry`, which is not known here.',
    ],
    [
      'with a mail among its values',
      [['twice: "={{ id + id }}"', 'twice: "={{ $fn.mime({}) }}"']],
      '`$fn.mime` can only be used in a body.',
    ],
    [
      'with a call that nothing uses',
      [['pages:\n', '  other: { url: https://api.pets.example }\npages:\n']],
      '8 calls.other: Nothing uses it.',
    ],
    [
      'with unknown pages',
      [['pages: next,', 'pages: last,']],
      '30 kinds.pets.operations.list.pages: There are no pages last.',
    ],
    [
      'with a host that it does not declare',
      [['https://api.pets.example/v1', 'https://evil.example/v1']],
      '7 calls.api.url: The host evil.example is not among the `hosts`.',
    ],
    [
      'with a host that only ends like a declared one',
      [['https://api.pets.example/v1', 'https://xapi.pets.example/v1']],
      'is not among the `hosts`',
    ],
    [
      'with an address without TLS',
      [['https://api.pets.example/v1', 'http://api.pets.example/v1']],
      'must begin with https://',
    ],
    [
      'with a host that is an address',
      [['hosts: [api.pets.example]', 'hosts: ["169.254.169.254:80"]']],
      '4 hosts[0]: The value must have this form: A host name in lower case, such as `api.example.com`',
    ],
    [
      'with an unknown credential type',
      [['{ stripeApi: catalogue }', '{ stripeApi: catalogue, none: catalogue }']],
      '5 credentials.none: Weft has no such credential type; `weft credential types` lists those that it has.',
    ],
    [
      'with an operation that no parameter selects',
      [['      list: {', '      drop: { call: api }\n      list: {']],
      'select this operation',
    ],
    [
      'with an expression that is not one',
      [['"={{ $p.id }}"', '"={{ $p. }}"']],
      '24 kinds.pets.let.id: The expression is invalid',
    ],
    [
      'with a name that is not known',
      [['id + id', 'id + other']],
      '27 kinds.pets.operations.get.let.twice: The expression reads `other`, which is not known here.',
    ],
    ['that reads its environment', [['id + id', '$env.X']], 'reads `$env`'],
    ['that reads another node', [['id + id', "$('A').item"]], 'reads `$`'],
    ['that reads the response before the request', [['id + id', '$response.body']], 'reads `$response`'],
    ['that reads a secret', [['id + id', '$credential.secretKey']], 'The field `secretKey` is secret or unknown.'],
    [
      'that reads all of a credential',
      [['id + id', '{ ...$credential }']],
      'Read a field of `$credential` by its name.',
    ],
    [
      'with a next page by an expression that is not one',
      [['next: meta.next', 'next: "={{ $response. }}"']],
      '9 pages.next.next: The expression is invalid',
    ],
    [
      'with a next page that reads an unknown name',
      [['next: meta.next', 'next: "={{ $body.next }}"']],
      '9 pages.next.next: The expression reads `$body`, which is not known here.',
    ],
    [
      'that reads an unknown parameter',
      [['"={{ $p.id }}"', '"={{ $p.idd ?? $p.id }}"']],
      '24 kinds.pets.let.id: There is no parameter `idd`.',
    ],
    [
      'with a call that reads an unknown parameter',
      [['$response.body.ok === false', '$p?.strict === true']],
      '7 calls.api.failed: There is no parameter `strict`.',
    ],
    ['with an empty name', [['label: Pets\nhosts', 'label: ""\nhosts']], '3 label: The value must not be empty.'],
    ['with an unknown function', [['$fn.path', '$fn.pathh']], 'There is no function `$fn.pathh`.'],
    [
      'with an operation without a request',
      [['        call: api\n        path', '        path']],
      'needs `call`, `steps`, `rows` or `code`',
    ],
    ['with a path without a slash', [['path: /pets,', 'path: pets,']], 'A path must begin with a slash.'],
    ['with versions out of order', [['versions: [1, 2]', 'versions: [2, 1]']], 'Versions must ascend.'],
    [
      'with rows that lack a part of their mode',
      [ROWS('append', 'find: {}')],
      'kinds.pets.operations.list.rows: The mode append needs `mapping`.',
    ],
    [
      'with rows and a part of another mode',
      [ROWS('read', 'find: {}, extra: x')],
      'The value must have this form: A string',
    ],
    [
      'with rows of another mode',
      [ROWS('read', 'find: {}, append: { call: api }')],
      'rows.append: The mode read does not have it.',
    ],
    [
      'with a mapping from another parameter',
      [ROWS('append', 'mapping: { from: operation }, columns: { call: api }, append: { call: api }')],
      'rows.mapping.from: It must name a parameter of type resourceMapper.',
    ],
    [
      'with a step that writes before rows',
      [
        [
          'list: { call: api, path: /pets, pages: next, list: pets }',
          'list: { steps: [{ as: a, call: api, method: POST }], ' +
            'rows: { mode: read, read: { call: api, table: t }, find: {} } }',
        ],
        ['pages:\n  next: { by: cursor, next: meta.next, into: query.cursor }\n', ''],
      ],
      'steps[0]: Steps before `rows` are shared by items, so that they can only read: their method must be GET.',
    ],
    [
      'with rows that read an unknown name',
      [ROWS('read', 'find: { filters: "={{ $cells }}" }')],
      'rows.find.filters: The expression reads `$cells`, which is not known here.',
    ],
    [
      'with a list that no parameter uses',
      [['pages:\n', 'lists:\n  all: { call: api, list: x, label: a, value: b }\npages:\n']],
      'lists.all: No parameter uses it.',
    ],
    [
      'with a parameter whose list is unknown',
      [['default: get', 'default: get\n        list: all']],
      'parameters[0].list: There is no list all.',
    ],
    [
      'with a list whose label reads an unknown name',
      [
        ['pages:\n', 'lists:\n  all: { call: api, list: x, label: "={{ $cell }}", value: b }\npages:\n'],
        ['default: get', 'default: get\n        list: all'],
      ],
      'lists.all.label: The expression reads `$cell`, which is not known here.',
    ],
    [
      'with code that is not JavaScript',
      [SCRIPT(), CODE(`${NEXT}\n\nreturn a b`)],
      '38 kinds.pets.operations.list.code.source: The code is invalid: Unexpected identifier',
    ],
    ['with code that closes its function', [SCRIPT(), CODE(`${NEXT} }); (() => {`)], 'Unexpected token'],
    ['with code without `next`', [SCRIPT(), CODE('const nxt = 1;')], 'must define a function `next`'],
    ['with an invalid script', [SCRIPT('a b'), CODE(NEXT)], 'scripts.shared: The code is invalid'],
    [
      'with code and an unknown call',
      [SCRIPT(), CODE(NEXT, '[api, apo]')],
      'list.code.calls[1]: There is no call apo.',
    ],
    ['with code and a call twice', [SCRIPT(), CODE(NEXT, '[api, api]')], 'The name api occurs twice.'],
    ['with code and an unknown script', [CODE(NEXT)], 'code.scripts[0]: There is no script shared.'],
    ['with a script that nothing uses', [SCRIPT()], 'scripts.shared: Nothing uses it.'],
    [
      'with code and a request',
      [SCRIPT(), CODE(NEXT, '[api]', 'path: /pets')],
      'list.path: An operation with `code` does not have it.',
    ],
    [
      'with more than 64 KB of code and scripts',
      [SCRIPT(`/*${'x'.repeat(40_000)}*/`), CODE(`${NEXT} /*${'x'.repeat(30_000)}*/`)],
      'At most 65536 are allowed.',
    ],
    [
      'with a batch without a list',
      [
        ['id: "={{ $p.id }}" }', 'id: "={{ $p.id }}" }'],
        ['call: api, path: /pets, pages: next, list: pets', 'call: api, batch: { of: x, max: 2 }, pages: next'],
      ],
      'needs a `call` and a `list`',
    ],
    [
      'with a step that is sent once and writes',
      [['call: api, path: /pets, pages: next, list: pets', 'steps: [{ as: a, call: api, method: POST, once: true }]']],
      'its method must be GET',
    ],
    [
      'with a step that reads an entry of no list',
      [['call: api, path: /pets, pages: next, list: pets', 'steps: [{ as: a, call: api, path: "={{ $entry }}" }]']],
      'reads `$entry`, which is not known here',
    ],
    [
      'with rows after a step of several requests',
      [ROWS('read', 'find: {} }, steps: [{ as: a, call: api, forEach: "={{ [1] }}" }'), ['" } } }', '" }] }']],
      'steps[0].forEach: A step does not have it here.',
    ],
    [
      'with a message without links',
      [SEND('call: api, path: /send, body: { text: "={{ $send.message }}" }')],
      'list.send: The message has no links: read `$send.buttons`',
    ],
    [
      'with a message that no request sends',
      [SEND('let: { b: "={{ $send.buttons }}" }')],
      'An operation needs `call`, `steps`, `rows` or `code`.',
    ],
    [
      'with a message and an item',
      [SEND('call: api, body: "={{ $send.buttons }}", item: {}')],
      'list.item: An operation with `send` does not have it.',
    ],
    [
      'with `$send` in an operation that sends no message with links',
      [['path: /pets, pages', 'path: "={{ $send.message }}", pages']],
      'reads `$send`, which is not known here',
    ],
    [
      'with a parameter that comes with `send`',
      [
        SEND('call: api, body: "={{ $send.buttons }}"'),
        [
          '    let: { id:',
          '      - { name: message, label: M, type: string, shownWhen: { operation: [list] } }\n    let: { id:',
        ],
      ],
      'parameters[2]: The parameter `message` of this operation comes with `send`',
    ],
    ['with a field called __proto__', [['let: { id:', 'let: { __proto__: 1, id:']], 'cannot be called __proto__'],
  ])('%s is refused with its line and path', (_what, changes, message) => {
    expect(problemsOf(appWith(...changes)).join('\n')).toContain(message);
  });

  it('has all its problems reported at once, in the order of the file', () => {
    expect(problemsOf(appWith(['id + id', 'a'], ['path: /pets,', 'path: pets,'], ['/v1', '/v1?x=1']))).toEqual([
      '7 calls.api.url: The URL must have no query and no fragment.',
      '27 kinds.pets.operations.get.let.twice: The expression reads `a`, which is not known here.',
      '30 kinds.pets.operations.list.path: A path must begin with a slash.',
    ]);
  });

  it('that refers to itself, is nested too deeply or is too large is refused', () => {
    expect(problemsOf(appWith(['let: { id:', 'let: &a { b: *a, id:'])).join()).toContain('nested deeper than 20');
    const deep = '['.repeat(30) + ']'.repeat(30);
    expect(problemsOf(appWith(['let: { id:', `let: { d: ${deep}, id:`])).join()).toContain('nested deeper than 20');
    expect(problemsOf(`${appWith()}# ${'x'.repeat(600_000)}`).join()).toContain('more than 512 KB');
    const bomb = Array.from(
      { length: 9 },
      (_, n) =>
        `l${n}: &l${n} [${Array(10)
          .fill(n === 0 ? 'x' : `*l${n - 1}`)
          .join(',')}]`,
    );
    expect(problemsOf(bomb.join('\n')).join()).toContain('more than 100000 values');
  });
});

describe('the generated files', () => {
  it('are those of the schema and of the apps', () => {
    const script = join(__dirname, '../../bin/generate.mjs');
    expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
  });
});
