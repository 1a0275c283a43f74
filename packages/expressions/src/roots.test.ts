import type { FixedScopeOptions } from './testing/fixed-scope';
import { bodyValue, errorOf } from './testing/fixed-scope';

const OPTIONS: FixedScopeOptions = {
  items: [
    { id: 1, tags: ['a'] },
    { id: 2, tags: [] },
  ],
  nodes: { Orders: [{ total: 10, lines: [{ sku: 'x' }] }, { total: 20 }], 'Get it': [{ ok: true }], Later: undefined },
  parameters: { path: '={{ $json.id + 1 }}', plain: 'p' },
  extra: { $response: { body: { next: 3 } }, $pageCount: 2 },
  timezone: 'Europe/Berlin',
};

describe('the roots of expressions', () => {
  it.each<readonly [string, unknown]>([
    ['$json.id', 1],
    ['$data.id', 1],
    ['$binary', {}],
    ['$input.item.json.id', 1],
    ['$input.first().json.id', 1],
    ['$input.last().json.id', 2],
    ['$input.all().map(item => item.json.id)', [1, 2]],
    ['$input.context.currentRunIndex', 4],
    ["$('Orders').item.json.total", 10],
    ["$('Orders').first().json.lines[0].sku", 'x'],
    ["$('Orders').last().json.total", 20],
    ["$('Orders').all().length", 2],
    ["$('Orders').itemMatching(1).json.total", 20],
    ["$('Orders').pairedItem(1).json.total", 20],
    ["$('Orders').isExecuted", true],
    ["$('Later').isExecuted", false],
    ["$('Orders').context.currentRunIndex", 4],
    ["$('Orders').params", {}],
    ["$('Get ' + 'it').item.json.ok", true],
    ["$if($('Later').isExecuted, $('Later').first().json.x, 'not yet')", 'not yet'],
    ['$node["Orders"].json.total', 10],
    ['$node["Orders"].data["total"]', 10],
    ['$node.Orders.json.lines.length', 1],
    ['$node["Get it"].context.currentRunIndex', 4],
    ['$items().length', 2],
    ['$items("Orders")[1].json.total', 20],
    ['$item(1).$json.id', 2],
    ['$item(1).$itemIndex', 1],
    ['$item(1).$node["Orders"].json.total', 20],
    ['[$itemIndex, $runIndex]', [0, 0]],
    ['[$position, $thisItemIndex, $thisRunIndex, $thisItem.json.id]', [0, 0, 0, 1]],
    ['$item(1).$thisItem.json.id', 2],
    ['$prevNode', { name: 'Before', outputIndex: 0, runIndex: 0 }],
    ['$parameter.path', 2],
    ['$parameter["plain"]', 'p'],
    ['$parameter', { path: 2, plain: 'p' }],
    ['$workflow', { active: true, id: 'w1', name: 'Orders' }],
    ['$execution.id + $execution.mode', 'e1test'],
    ['$execution.resumeUrl', 'https://weft.example/resume/e1'],
    ['$execution.customData.get("order") + $execution.customData.get("none")', '17undefined'],
    ['$execution.customData.getAll()', { order: '17' }],
    ['[$execution.customData.get("constructor"), $execution.customData.set]', [undefined, undefined]],
    ['$execution.keys()', ['id', 'mode', 'resumeUrl', 'customData']],
    ['$now.toISO()', '2026-03-09T11:30:00.000+01:00'],
    ['$today.toISO()', '2026-03-09T00:00:00.000+01:00'],
    ['$vars.region + $env.STAGE', 'eublue'],
    ['$env.HOME', undefined],
    ['$response.body.next + $pageCount', 5],
    ['$jmespath($input.all(), "[].json.id")', [1, 2]],
    ['$jmesPath($json, "tags[0]")', 'a'],
    ['[$jmespath(null, "a"), $jmespath(null, "length(@)")]', [null, 0]],
    ['$fromAI("city", "where", "string", "Bern")', 'Bern'],
    ['$fromAI("id")', 1],
    ['$if(1 > 2, "yes", "no")', 'no'],
    ['$if(true, "yes", (() => { throw new Error("not reached") })())', 'yes'],
    ['[$if(false, 1), $if(null, 1), $if(1, 2)]', [false, false, 2]],
    ['[average(), $average(1, 2), toPathSegment("a/b ü"), toPathSegment(5)]', [0, 1.5, 'a%2Fb%20%C3%BC', '5']],
    [
      '[typeof Symbol, typeof Symbol.iterator, Symbol("x").toString(), Symbol() === Symbol()]',
      ['function', 'symbol', 'Symbol(x)', false],
    ],
    [
      '[typeof ArrayBuffer, typeof SharedArrayBuffer, typeof DataView, typeof BigInt64Array]',
      ['function', 'function', 'function', 'function'],
    ],
    [
      '[new ArrayBuffer(8).byteLength, new ArrayBuffer(8).slice(2, 5).byteLength, new SharedArrayBuffer(4).byteLength]',
      [8, 3, 4],
    ],
    [
      '(() => { const v = new DataView(new ArrayBuffer(4), 1); v.setUint16(0, 258); return v.getInt8(9) })()',
      undefined,
    ],
    [
      '(() => { const v = new DataView(new ArrayBuffer(4), 1); v.setUint16(0, 258); ' +
        'return [v.getUint8(1), v.getUint16(0, true), v.byteOffset] })()',
      [2, 513, 1],
    ],
    ['[new BigInt64Array(2), new BigUint64Array([1.5]), new Uint8Array(new ArrayBuffer(2))]', [[0, 0], [1], [0, 0]]],
    ['(() => { total = 0; [1, 2].forEach((n) => { total += n }); return total })()', 3],
    ['(function () { for (i = 0; i < 3; i++) {} return i })()', 3],
    ['$ifEmpty([], "empty")', 'empty'],
    ['$ifEmpty(0, "empty")', 0],
    ['$min(3, 1, 2) + $max(3, 1, 2)', 4],
    ['$not("")', true],
    ["$evaluateExpression('{' + '{ $json.id }' + '}', 1)", 2],
  ])('%s', (body, value) => {
    expect(bodyValue(body, OPTIONS)).toEqual(value);
  });

  it('is {} for $json if there is no item', () => {
    expect(bodyValue('$json', { items: [] })).toEqual({});
  });
});

describe('a node that an expression asks for', () => {
  it.each([
    ["={{ $('Nobody').item.json.a }}", 'node_not_found', "Referenced node doesn't exist"],
    ['={{ $node["Nobody"].json }}', 'node_not_found', "Referenced node doesn't exist"],
    ["={{ $('Later').first().json }}", 'no_execution_data', "Node 'Later' hasn't been executed"],
    ["={{ $('Later').item.json.a }}", 'no_execution_data', "Node 'Later' hasn't been executed"],
    ['={{ $item(1).$node["Get it"].json.ok }}', 'no_node_data', "Can't get data for expression"],
    ["={{ $('Orders').item.json.total + $ }}", 'syntax', "'$' needs the name of a node"],
  ])('%s ends with %s', (text, type, message) => {
    expect(errorOf(text, OPTIONS)).toMatchObject({ type, message });
  });

  it('can be asked for within try, which sees the error', () => {
    expect(bodyValue("(() => { try { return $('Later').first() } catch (e) { return e.message } })()", OPTIONS)).toBe(
      "Node 'Later' hasn't been executed",
    );
  });
});

describe('$input', () => {
  it.each(['first', 'last'])('refuses arguments of %s, which would select another node', (method) => {
    expect(errorOf(`={{ $input.${method}(1) }}`, OPTIONS)).toMatchObject({
      type: 'type',
      message: `$input.${method}() takes no arguments`,
    });
  });
});

describe('$fromAI', () => {
  it('refuses a key that no model could be given', () => {
    expect(errorOf('={{ $fromAI("two words") }}')).toMatchObject({ type: 'type' });
  });
});

describe('$parameter', () => {
  it('ends when a parameter refers to itself', () => {
    expect(errorOf('={{ $parameter.loop }}', { parameters: { loop: '={{ $parameter.loop }}' } })).toMatchObject({
      type: 'budget',
    });
  });
});
