import { readDefinition, type JsonObject } from '@weft/node-catalogue/definitions';
import { completionContext } from './completion-context';
import { Previewer, type CompletionOption, type PreviewExecution, type PreviewOutcome } from './previewer';

const node = (name: string, position: number): JsonObject => ({
  id: name,
  name,
  type: 'weft-nodes-base.noOp',
  position: [position, 0],
  parameters: {},
});
const to = (name: string): JsonObject => ({ main: [[{ node: name, type: 'main', index: 0 }]] });

const DEFINITION = readDefinition({
  name: 'Orders',
  nodes: ['Make', 'Pass', 'Show', 'Alone'].map(node),
  connections: { Make: to('Pass'), Pass: to('Show') },
});

const TOTAL = 120;
const EXECUTION: PreviewExecution = {
  workflowId: 'w1',
  workflowActive: false,
  executionId: 'e1',
  mode: 'manual',
  vars: { region: 'eu' },
  defaultTimezone: 'UTC',
  runs: [
    { node: 'Make', run: 0, executionIndex: 0, source: [], items: [TOTAL], hasFailed: false },
    { node: 'Pass', run: 0, executionIndex: 1, source: [{ previousNode: 'Make' }], items: [TOTAL], hasFailed: false },
  ],
};
const ITEMS = Array.from({ length: TOTAL }, (_, id) => ({
  json: { id, customer: { name: `n${id}`, email: `c${id}@example.com` } },
  pairedItem: { item: id },
}));
const AT = { node: 'Show', sources: [{ previousNode: 'Pass' }], run: 0, item: 70 };

const previewer = (): Previewer => {
  const made = new Previewer();
  made.setDefinition(DEFINITION);
  made.setExecution(EXECUTION);
  return made;
};

/** Evaluates, and loads pages of 50 as they are asked for. */
const load = <Outcome extends { readonly kind: string }>(
  made: Previewer,
  ask: () => Outcome | Extract<PreviewOutcome, { readonly kind: 'missing' }>,
): { readonly outcome: Outcome | PreviewOutcome; readonly pages: number } => {
  for (let pages = 0; ; pages += 1) {
    const outcome = ask();
    if (outcome.kind !== 'missing' || !('place' in outcome) || pages > 10) return { outcome, pages };
    const offset = Math.floor(outcome.index / 50) * 50;
    made.addItems(outcome.place, offset, ITEMS.slice(offset, offset + 50));
  }
};

const valueOf = (text: string): unknown => {
  const made = previewer();
  const { outcome } = load(made, () => made.evaluate(text, AT));
  return outcome.kind === 'value' && 'value' in outcome ? outcome.value.json : outcome;
};

describe('a previewer', () => {
  it('asks for the page of the selected item only, and shows its value', () => {
    const made = previewer();
    expect(made.evaluate('={{ $json.id }}', AT)).toEqual({
      kind: 'missing',
      place: { executionIndex: 1, output: 0 },
      index: 70,
    });
    const { outcome, pages } = load(made, () => made.evaluate('={{ $json.id }}', AT));
    expect({ outcome, pages }).toEqual({
      outcome: { kind: 'value', value: { type: 'number', text: '70', isCut: false, json: 70 } },
      pages: 1,
    });
  });

  it.each([
    ['={{ $json.id * $json.price }}', 'NaN'],
    ['={{ $json.id / 0 }}', 'Infinity'],
  ])('shows numbers that JSON does not have: %s', (text, shown) => {
    const made = previewer();
    const { outcome } = load(made, () => made.evaluate(text, AT));
    expect(outcome).toMatchObject({ kind: 'value', value: { type: 'number', text: shown } });
  });

  it('names the operand for which a calculation gives no number', () => {
    const made = previewer();
    const { outcome } = load(made, () => made.evaluate('={{ $json.id * ($json.idd + 1) }}', AT));
    expect(outcome).toMatchObject({
      value: { text: 'NaN' },
      missing: { name: 'idd', meant: 'id', start: 22, end: 25 },
    });
  });

  it.each([
    ["={{ $('Make').item.json.customer.email }}", 'c70@example.com'],
    ["={{ $('Make').all().length }}", TOTAL],
    ["={{ $('Make').last().json.id }}", 119],
    ['={{ $input.all().map((item) => item.json.id).sum() }}', 7140],
    ['={{ $vars.region }} {{ $itemIndex }}', 'eu 70'],
    ["={{ $('Alone').isExecuted }}", false],
  ])('gives the values that a run gives, from items that are loaded in part: %s', (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });

  it('shows errors with the node that they are about', () => {
    expect(valueOf("={{ $('Prices').item }}")).toMatchObject({ kind: 'error', type: 'node_not_found', node: 'Prices' });
    expect(valueOf('={{ $json. }}')).toMatchObject({ kind: 'error', type: 'syntax' });
  });

  it('names the field that was probably meant where an expression gives nothing', () => {
    const made = previewer();
    const text = '=Dear {{ $json.custmer.name }}';
    const { outcome } = load(made, () => made.evaluate('={{ $json.custmer.name }}', AT));
    expect(outcome).toMatchObject({
      kind: 'value',
      missing: { name: 'custmer', meant: 'customer', start: 10, end: 17 },
    });
    expect(text.slice(15, 22)).toBe('custmer');
    const later = load(made, () => made.evaluate('={{ $json.customer.emial }}', AT)).outcome;
    expect(later).toMatchObject({ missing: { name: 'emial', meant: 'email' } });
  });

  it('keeps loaded items when the draft changes, and forgets them with the execution', () => {
    const made = previewer();
    load(made, () => made.evaluate('={{ $json.id }}', AT));
    made.setDefinition(DEFINITION);
    expect(made.evaluate('={{ $json.id + 1 }}', AT)).toMatchObject({ value: { json: 71 } });
    made.setExecution({ ...EXECUTION, executionId: 'e2' });
    expect(made.evaluate('={{ $json.id }}', AT).kind).toBe('missing');
  });
});

const optionsAt = (text: string): readonly CompletionOption[] => {
  const made = previewer();
  const { outcome } = load(made, () => made.complete(text, text.length, AT));
  return outcome.kind === 'options' && 'options' in outcome ? outcome.options : [];
};

describe('completion', () => {
  it.each([
    ['={{ $js', '$json'],
    ['={{ Mat', 'Math.max'],
    ['={{ $json.', 'customer'],
    ['={{ $json.customer.na', 'name'],
    ['={{ $json["', 'customer'],
    ["={{ $('", 'Make'],
    ['={{ $node["Ma', 'Make'],
    ["={{ $('Make').item.json.", 'id'],
    ["={{ $('Make').first().json.customer.email.", 'extractDomain'],
    ['={{ [1, 2].', 'last'],
    ['={{ "a".', 'toTitleCase'],
    ['={{ ($json.id + 1).', 'round'],
    ['=text {{ 1 }} {{ $json.id.', 'round'],
  ])('offers names of real items and of their types: %s', (text, name) => {
    expect(optionsAt(text).map((option) => option.name)).toContain(name);
  });

  it('shows current values', () => {
    expect(optionsAt('={{ $json.customer.')).toContainEqual({
      name: 'email',
      kind: 'field',
      type: 'string',
      value: '"c70@example.com"',
    });
  });

  it.each(['= $json.', '={{ "text $json.', '={{ 1 }} $json.', '={{ 12', 'plain', '={{ 5.'])(
    'offers nothing where nothing can be named: %s',
    (text) => {
      expect(completionContext(text, text.length)).toBeUndefined();
    },
  );

  it('ends for any text', () => {
    for (const text of ['={{ ))))', '={{ ]].', '={{ a"b.', `={{ ${'('.repeat(4_000)}.`, "={{ '''.", '={{ (.'])
      expect(() => completionContext(text, text.length)).not.toThrow();
  });
});
