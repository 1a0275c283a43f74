/** The data on which the shapes are evaluated. */
export interface ShapeItem {
  readonly name: string;
  readonly price: number;
  readonly qty: number;
  readonly customer: { readonly name: string; readonly mail: string };
  readonly tags: readonly string[];
  readonly lines: readonly { readonly sku: string; readonly amount: number }[];
}

/**
 * One of the forms in which expressions occur in real workflows, and the same written in plain JavaScript as its
 * ceiling.
 */
export interface ExpressionShape {
  readonly name: string;
  readonly text: string;
  readonly plain: (item: ShapeItem, all: readonly ShapeItem[]) => unknown;
}

/** The item of the measurement. */
export const SHAPE_ITEM: ShapeItem = {
  name: 'Ada Lovelace',
  price: 14.5,
  qty: 3,
  customer: { name: 'Ada', mail: 'ada@example.org' },
  tags: ['new', 'paid', 'post'],
  lines: [
    { sku: 'A-1', amount: 2 },
    { sku: 'A-2', amount: 5 },
    { sku: 'B-1', amount: 9 },
  ],
};

/** The ten shapes. The first three are 80 % of the bodies in published workflows. */
export const EXPRESSION_SHAPES: readonly ExpressionShape[] = [
  { name: 'path on $json', text: '={{ $json.customer.name }}', plain: (item) => item.customer.name },
  {
    name: "path on $('Node').item",
    text: "={{ $('Source').item.json.customer.mail }}",
    plain: (item) => item.customer.mail,
  },
  { name: "path on $('Node').first()", text: "={{ $('Source').first().json.name }}", plain: (_, all) => all[0]?.name },
  {
    name: 'text with two bodies',
    text: '=Dear {{ $json.customer.name }}, you owe {{ $json.price }}.',
    plain: (item) => `Dear ${item.customer.name}, you owe ${item.price}.`,
  },
  { name: 'arithmetic', text: '={{ $json.price * $json.qty + 4.9 }}', plain: (item) => item.price * item.qty + 4.9 },
  { name: 'ternary', text: "={{ $json.qty > 2 ? 'many' : 'few' }}", plain: (item) => (item.qty > 2 ? 'many' : 'few') },
  {
    name: 'methods of text',
    text: "={{ $json.name.toLowerCase().replaceAll(' ', '-') }}",
    plain: (item) => item.name.toLowerCase().replaceAll(' ', '-'),
  },
  {
    name: 'arrow functions',
    text: '={{ $json.lines.filter((l) => l.amount > 2).map((l) => l.sku).join() }}',
    plain: (item) =>
      item.lines
        .filter((line) => line.amount > 2)
        .map((line) => line.sku)
        .join(),
  },
  { name: 'extension method', text: '={{ $json.tags.last() }}', plain: (item) => item.tags[item.tags.length - 1] },
  {
    name: 'object literal',
    text: '={{ ({ name: $json.name, total: $json.price, tags: [...$json.tags] }) }}',
    plain: (item) => ({ name: item.name, total: item.price, tags: [...item.tags] }),
  },
];
