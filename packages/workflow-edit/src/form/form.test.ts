import { readDefinition, readKind, type Json, type JsonObject } from '@weft/node-catalogue/definitions';
import { KIND_TABLE } from '@weft/nodes/descriptors';
import { applyEdit, openDocument } from '../document';
import { swapEntries } from '../operations/node-fields';
import {
  addColumns,
  changeLocator,
  insertKey,
  itemRoot,
  keyExpression,
  parametersForList,
  pinnedText,
  readForm,
  readJson,
  readNumber,
  readPinned,
  removeColumn,
  replaceRange,
  setMappingMode,
  setMatching,
  suggestFix,
  takesKeys,
  beginExpression,
  toExpression,
  toFixed,
  type FormField,
  type NodeForm,
} from './index';

const formOf = (kind: string, typeVersion: number, parameters: JsonObject): NodeForm => {
  const descriptor = readKind(JSON.parse(JSON.stringify(KIND_TABLE.get(kind))));
  const [node] = readDefinition({
    name: 'W',
    nodes: [{ id: 'a', name: 'A', type: `n8n-nodes-base.${kind}`, typeVersion, position: [0, 0], parameters }],
    connections: {},
  }).nodes;
  if (descriptor === undefined || node === undefined) throw new Error(`no ${kind}`);
  return readForm(node, descriptor);
};
const fieldOf = (form: NodeForm, key: string): FormField => {
  const found = form.fields.find((field) => field.key === key);
  if (found === undefined) throw new Error(`no field ${key}`);
  return found;
};

describe('the form of a node', () => {
  it('shows what the settings make count, with messages at the fields', () => {
    const form = formOf('httpRequest', 4.2, { authentication: 'genericCredentialType' });
    const keys = form.fields.map(({ key }) => key);
    expect(keys).toContain('genericAuthType');
    expect(keys).not.toContain('nodeCredentialType');
    expect(fieldOf(form, 'url').error).toBe('URL is required.');
    expect(fieldOf(form, 'genericAuthType').error).toContain('is required');
  });

  it('disables refused options and says why', () => {
    const { control } = fieldOf(formOf('executeWorkflow', 1.2, {}), 'source');
    const choices = control.kind === 'select' ? control.choices : [];
    expect(choices.map(({ option, isChosen }) => [option.value, isChosen, option.refused !== undefined])).toEqual([
      ['database', true, false],
      ['parameter', false, false],
      ['localFile', false, true],
      ['url', false, true],
    ]);
  });

  it('keeps a value that is not among the options as one of them', () => {
    const { control, error } = fieldOf(formOf('httpRequest', 4.2, { method: 'BREW', url: 'x' }), 'method');
    const chosen = control.kind === 'select' ? control.choices.filter(({ isChosen }) => isChosen) : [];
    expect(chosen).toEqual([{ option: { value: 'BREW', label: 'BREW' }, isChosen: true, isKnown: false }]);
    expect(error).toContain('not supported');
  });

  it('has no switch to an expression for values that are read before a run', () => {
    const form = formOf('webhook', 2, { path: '={{ 1 }}' });
    expect(fieldOf(form, 'httpMethod').canSwitch).toBe(false);
    expect(fieldOf(formOf('set', 3.4, {}), 'mode').canSwitch).toBe(true);
  });

  it('edits resource locators at their value, and ids that refer to a resource', () => {
    const stored = { __rl: true, mode: 'list', value: 'w7', cachedResultName: 'Sub' };
    const { control } = fieldOf(formOf('executeWorkflow', 1.2, { workflowId: stored }), 'workflowId');
    expect(control).toMatchObject({
      kind: 'locator',
      isObject: true,
      mode: 'list',
      name: 'Sub',
      reference: 'workflow',
    });
    expect(control.kind === 'locator' && control.inner.path).toEqual(['workflowId', 'value']);
    const plain = fieldOf(formOf('executeWorkflow', 1.2, { workflowId: 'w7' }), 'workflowId').control;
    expect(plain).toMatchObject({ kind: 'locator', isObject: false, inner: { path: ['workflowId'], value: 'w7' } });
  });

  it('edits a locator of an app with its modes, also one that is not set yet', () => {
    const parameters = { resource: 'message', operation: 'post', select: 'channel' };
    const { control } = fieldOf(formOf('slack', 2.3, parameters), 'channelId');
    expect(control).toMatchObject({
      kind: 'locator',
      isObject: true,
      mode: 'list',
      modes: [{ name: 'list', list: 'channels' }, { name: 'id' }, { name: 'name' }, { name: 'url' }],
      inner: { path: ['channelId', 'value'] },
    });
  });

  it('edits the columns of a mapping, each with the control of its type', () => {
    const columns = {
      mappingMode: 'defineBelow',
      value: { id: '={{ $json.id }}', Total: 5, Paid: true, Note: '', Gone: null },
      matchingColumns: ['id'],
      schema: [
        { id: 'id', displayName: 'Id' },
        { id: 'Total', displayName: 'Total', type: 'number' },
        { id: 'Paid', displayName: 'Paid', type: 'boolean' },
        { id: 'Date', displayName: 'Date', type: 'dateTime' },
      ],
      convertFieldsToString: false,
    };
    const form = formOf('googleSheets', 4.5, { operation: 'update', columns });
    const { control } = fieldOf(form, 'columns');
    if (control.kind !== 'mapper') throw new Error(control.kind);
    expect(control.columns.map(({ field }) => [field.descriptor.label, field.key, field.control.kind])).toEqual([
      ['Id', 'columns.value.id', 'expression'],
      ['Total', 'columns.value.Total', 'number'],
      ['Paid', 'columns.value.Paid', 'switch'],
      ['Note', 'columns.value.Note', 'text'],
    ]);
    expect(control).toMatchObject({
      mode: 'defineBelow',
      absent: ['Date'],
      matching: ['id'],
      canMatch: true,
      converts: false,
      others: [{ name: 'convertFieldsToString' }],
    });
    const append = fieldOf(formOf('googleSheets', 4.5, { operation: 'append' }), 'columns').control;
    expect(append).toMatchObject({ kind: 'mapper', mode: 'defineBelow', columns: [], canMatch: false });
  });

  it('edits conditions with a second value of the type of the operation', () => {
    const condition = (type: string, operation: string): JsonObject => ({
      leftValue: '={{ $json.a }}',
      rightValue: 5,
      operator: { type, operation },
    });
    const conditions = [condition('number', 'gt'), condition('string', 'exists'), condition('number', 'unheardOf')];
    const { control } = fieldOf(formOf('if', 2.2, { conditions: { conditions, combinator: 'or' } }), 'conditions');
    if (control.kind !== 'filter') throw new Error(control.kind);
    expect(control.combinator).toBe('or');
    expect(control.conditions.map(({ left, right }) => [left.control.kind, right?.control.kind])).toEqual([
      ['expression', 'number'],
      ['expression', undefined],
      ['expression', 'number'],
    ]);
    expect(control.conditions[2]?.error).toContain('have no operation');
  });

  it.each<[string, Json]>([
    ['assignments', { assignments: 'none' }],
    ['assignments', [1]],
    ['options', 'text'],
  ])('edits values of another form as JSON: %s', (key, value) => {
    expect(fieldOf(formOf('set', 3.4, { [key]: value }), key).control.kind).toBe('json');
  });
});

describe('a value of a field', () => {
  it.each<[Json | undefined, string]>([
    [undefined, '='],
    ['a {{ b }}', '=a {{ b }}'],
    [5, '={{ 5 }}'],
    [true, '={{ true }}'],
    [{ a: [1] }, '={{ {"a":[1]} }}'],
  ])('becomes an expression that gives it: %j', (value, expression) => {
    expect(toExpression(value)).toBe(expression);
  });

  it.each<[string, FormField['descriptor']['type'], Json | undefined, Json | undefined]>([
    ['=plain', 'string', undefined, 'plain'],
    ['={{ 5 }}', 'number', undefined, 5],
    ['={{ $json.n }}', 'number', 7, 7],
    ['={{ $json.n }}', 'number', 'seven', undefined],
    ['={{ $json.n }}', 'string', 7, '7'],
    ['={{ $json.n }}', 'string', undefined, undefined],
    ['={{ true }}', 'boolean', undefined, true],
    ['={{ $json }}', 'json', { a: 1 }, '{\n  "a": 1\n}'],
  ])('comes back from %s for a %s with the preview %j', (expression, type, preview, value) => {
    expect(toFixed(expression, { type }, preview)).toEqual(value);
  });

  it.each<[string, string, number, unknown]>([
    ['', '{{', 2, { expression: '=', cursor: 0, typed: '{{' }],
    ['Hello {!', 'Hello {{!', 8, { expression: '=Hello !', cursor: 6, typed: '{{' }],
    ['', '{{ $json.id }}', 14, { expression: '={{ $json.id }}', cursor: 14, typed: '' }],
    ['', '=', 1, { expression: '=', cursor: 0, typed: '' }],
    ['a {{', 'a {{ b', 6, undefined],
    ['a', 'ab', 2, undefined],
  ])('turns into an expression while it is typed: %j, then %j', (before, text, cursor, begun) => {
    expect(beginExpression(before, text, cursor)).toEqual(begun);
  });

  it('is read from what is typed, or refused with the reason', () => {
    expect(readNumber('1.50')).toEqual({ isValid: true, value: 1.5 });
    expect(readNumber('12345678901234567890')).toMatchObject({ isValid: false });
    expect(readNumber('five')).toEqual({ isValid: false, why: 'Must be a number.' });
    expect(readJson('{"a": 1}')).toEqual({ isValid: true, value: { a: 1 } });
    expect(readJson('{a}')).toMatchObject({ isValid: false, why: expect.stringContaining('Must be JSON') });
  });
});

describe('a key of an item', () => {
  it('is written as an expression that reads it, whatever it is called', () => {
    expect(keyExpression('$json', ['customer', 'email'])).toBe('$json.customer.email');
    expect(keyExpression('$json', ['odd key', 0, '"'])).toBe('$json["odd key"][0]["\\""]');
    expect(keyExpression(itemRoot("It's"), ['a'])).toBe("$('It\\'s').item.json.a");
  });

  it('is added to a text or an expression, and replaces anything else', () => {
    const form = formOf('httpRequest', 4.2, { url: 'https://a/', method: 'GET', jsonBody: '=x {{ 1 }}' });
    const insert = (field: FormField): Json => insertKey(field, '$json.id');
    expect(insert(fieldOf(form, 'url'))).toBe('=https://a/ {{ $json.id }}');
    expect(insert(fieldOf(form, 'method'))).toBe('={{ $json.id }}');
    expect(insert(fieldOf(formOf('httpRequest', 4.2, { url: '=a{{ 1 }}' }), 'url'))).toBe('=a{{ 1 }} {{ $json.id }}');
    expect(takesKeys(fieldOf(form, 'options'))).toBe(false);
  });
});

describe('a fix of an expression', () => {
  it.each<[string, { type: string; node?: string }, string | undefined]>([
    [
      "={{ $('Oders').item.json.a + $node['Oders'].json.b }}",
      { type: 'node_not_found', node: 'Oders' },
      "={{ $('Orders').item.json.a + $node['Orders'].json.b }}",
    ],
    ['={{ $node.Oders.json.b }}', { type: 'node_not_found', node: 'Oders' }, '={{ $node["Orders"].json.b }}'],
    ["={{ $('Completely different').item }}", { type: 'node_not_found', node: 'Completely different' }, undefined],
    ["={{ $('Orders').item.json.a }}", { type: 'paired_item', node: 'Orders' }, "={{ $('Orders').first().json.a }}"],
    ['={{ $json.name.toTitleCase }}', { type: 'function' }, '={{ $json.name.toTitleCase() }}'],
    ['={{ $json. }}', { type: 'syntax' }, undefined],
  ])('of %s', (text, error, repaired) => {
    expect(suggestFix(text, error, ['Start', 'Orders', "It's"])?.text).toBe(repaired);
  });

  it('quotes the name that is meant', () => {
    const fix = suggestFix("={{ $('Its').all() }}", { type: 'node_not_found', node: 'Its' }, ["It's"]);
    expect(fix).toEqual({ label: "It's", text: "={{ $('It\\'s').all() }}" });
    expect(replaceRange('={{ $json.custmer }}', 10, 17, 'customer')).toBe('={{ $json.customer }}');
  });
});

describe('pinned items', () => {
  it('are edited without their wrapping, and read with or without it', () => {
    const items = [{ json: { a: 1 } }, { json: { a: 2 } }];
    expect(readPinned(pinnedText(items))).toEqual({ isValid: true, value: items });
    const files = [{ json: { a: 1 }, binary: { data: { id: 'f' } } }];
    expect(readPinned(pinnedText(files))).toEqual({ isValid: true, value: files });
    expect(readPinned('{ "a": 1 }')).toEqual({ isValid: true, value: [{ json: { a: 1 } }] });
  });

  it.each(['[1]', '[', JSON.stringify(Array.from({ length: 1_001 }, () => ({})))])('refuse %#', (text) => {
    expect(readPinned(text).isValid).toBe(false);
  });
});

describe('entries of a list', () => {
  const text =
    '{"nodes": [{"name": "A", "type": "x-nodes-base.set", "parameters": {"list": [{"n": 1.0}, {"n":2}, { "n": 3 }]}}]}';

  it('are moved with their text, and the move can be undone', () => {
    const { document, inverse } = swapEntries(openDocument(text), 'A', ['list'], [0, 2]);
    expect(document.text).toBe(text.replace('[{"n": 1.0}, {"n":2}, { "n": 3 }]', '[{ "n": 3 }, {"n":2}, {"n": 1.0}]'));
    expect(applyEdit(document, inverse).document.text).toBe(text);
    expect(() => swapEntries(openDocument(text), 'A', ['list'], [0, 3])).toThrow('has no entry 3');
  });
});

describe('a change of a locator', () => {
  const channel = (stored: Json | undefined): FormField =>
    fieldOf(
      formOf('slack', 2.3, {
        resource: 'message',
        operation: 'post',
        select: 'channel',
        ...(stored === undefined ? {} : { channelId: stored }),
      }),
      'channelId',
    );
  const listed = { __rl: true, mode: 'list', value: 'C1', cachedResultName: '#ops', cachedResultUrl: 'https://x' };

  it('stores the whole form of one that was not set', () => {
    expect(changeLocator(channel(undefined), { value: 'C1', name: '#ops' })).toEqual({
      __rl: true,
      mode: 'list',
      value: 'C1',
      cachedResultName: '#ops',
    });
  });

  it('keeps the name only as long as the value', () => {
    expect(changeLocator(channel(listed), { mode: 'id' })).toEqual({ ...listed, mode: 'id' });
    expect(changeLocator(channel(listed), { value: 'C2' })).toEqual({ __rl: true, mode: 'list', value: 'C2' });
  });

  it('empties a value of another form, but no expression', () => {
    expect(changeLocator(channel(listed), { mode: 'url' })).toEqual({ __rl: true, mode: 'url', value: '' });
    const expression = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
    expect(changeLocator(channel(expression), { mode: 'url' })).toEqual({ ...expression, mode: 'url' });
  });

  it('leaves a string a string until a mode is chosen', () => {
    expect(changeLocator(channel('C1'), { value: 'C2' })).toBe('C2');
    expect(changeLocator(channel('C1'), { mode: 'list' })).toEqual({ __rl: true, mode: 'list', value: 'C1' });
  });
});

describe('a change of a mapping', () => {
  const offered = (...names: readonly string[]) => names.map((name) => ({ name, label: name }));
  const mapper = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['id'], kept: 1 };

  it('adds columns, and describes those that the service offers', () => {
    expect(addColumns(undefined, offered('id'), false)).toEqual({ mappingMode: 'defineBelow', value: { id: '' } });
    const added = addColumns(mapper, offered('id', 'name'), true);
    expect(added).toMatchObject({
      mappingMode: 'defineBelow',
      value: { id: '', name: '' },
      matchingColumns: ['id'],
      kept: 1,
      schema: [{ id: 'id' }, { id: 'name', displayName: 'name' }],
    });
    const again = addColumns({ ...added, value: { id: '=1' } }, offered('id', '__proto__', ''), true);
    expect(again).toEqual({ ...added, value: { id: '=1' } });
  });

  it('removes a column, also as one to match on', () => {
    const removed = removeColumn({ ...mapper, value: { id: 1, name: 2 } }, 'id');
    expect(removed).toEqual({ ...mapper, value: { name: 2 }, matchingColumns: [] });
  });

  it('sets the mode and the columns to match on', () => {
    expect(setMappingMode(mapper, 'defineBelow')).toEqual({ ...mapper, mappingMode: 'defineBelow', value: {} });
    expect(setMatching(mapper, ['a', 'a', 'b'])).toEqual({ ...mapper, matchingColumns: ['a', 'b'] });
  });
});

describe('the parameters that a list may depend on', () => {
  const parameters = {
    documentId: { __rl: true, mode: 'list', value: 'D1', cachedResultName: 'Orders' },
    sheetName: { __rl: true, mode: 'name', value: 'Sheet1' },
    columns: { mappingMode: 'defineBelow', value: { a: 1 } },
    text: 'x'.repeat(3_000),
  };

  it('are the others, with its mode, and without long values', () => {
    const { documentId, columns } = parameters;
    expect(parametersForList(parameters, ['sheetName'])).toEqual({
      documentId,
      sheetName: { __rl: true, mode: 'name', value: '' },
      columns,
    });
    expect(parametersForList(parameters, ['columns'])).not.toHaveProperty('columns');
    expect(parametersForList(parameters, ['columns', 'value'])).toHaveProperty('columns');
  });

  it('are left out if they would not fit into a request', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, 'y'.repeat(1_500)]));
    expect(parametersForList(many, ['other'])).toEqual({});
  });
});
