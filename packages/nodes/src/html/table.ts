import type { Json } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { booleanParameter, textParameter } from '../shared/read-parameter';

const MAX_TABLE_LENGTH = 20_000_000;
const MAX_COLUMNS = 1_000;
/** Styles and spaces are n8n's: workflows search for them, and mails show them. */
const TABLE_STYLE = "style='border-spacing:0; font-family:helvetica,arial,sans-serif'";
const CELL_RULES = 'margin:0; padding:7px 20px 7px 0px; border-bottom:1px solid #eee';
const HEADER_STYLE = `style='${CELL_RULES}; text-align:left; color:#888; font-weight:normal'`;
const CELL_STYLE = `style='${CELL_RULES}'`;

/**
 * One item with an HTML table of all items, in the field `table`. Values are not escaped: HTML in them remains HTML.
 */
export function tableOf(context: NodeContext): Item[] {
  if (context.items.length === 0) return [];
  const columns = [...new Set(context.items.flatMap((item) => Object.keys(item.json)))];
  if (columns.length > MAX_COLUMNS)
    throw new NodeFailure(
      `The items have ${columns.length} different fields; a table can have at most ${MAX_COLUMNS} columns.`,
    );
  const isPlain = booleanParameter(context, 'options.customStyling', 0);
  const style = (text: string): string => (isPlain ? '' : text);
  const attributes = (name: string): string => textParameter(context, `options.${name}`, 0);
  const capitalizes = booleanParameter(context, 'options.capitalize', 0);
  const caption = textParameter(context, 'options.caption', 0);
  const headers = columns.map((name) => `<th>${capitalizes ? capitalized(name) : name}</th>`).join('');
  const row = attributes('rowAttributes');
  const cell = `${style(CELL_STYLE)} ${attributes('cellAttributes')}`;
  const rows: string[] = [];
  let length = 0;
  for (const { json } of context.items) {
    const text = `<tr  ${row}>${columns.map((name) => `<td ${cell}>${cellOf(json[name])}</td>`).join('')}</tr>`;
    length += text.length;
    if (length > MAX_TABLE_LENGTH) throw new NodeFailure(`The table is longer than ${MAX_TABLE_LENGTH} characters.`);
    rows.push(text);
  }
  const table =
    `<table ${style(TABLE_STYLE)} ${attributes('tableAttributes')}>` +
    `${caption === '' ? '' : `<caption>${caption}</caption>`}` +
    `<thead ${style(HEADER_STYLE)} ${attributes('headerAttributes')}><tr>${headers}</tr></thead>` +
    `<tbody>${rows.join('')}</tbody></table>`;
  return [{ json: { table }, pairedItem: context.items.map((_item, item) => ({ item })) }];
}

/** A value as JavaScript prints it: `undefined` for a field that an item does not have. */
function cellOf(value: Json | undefined): string {
  if (typeof value === 'boolean') return `<input type="checkbox" ${value ? 'checked="checked"' : ''}/>`;
  return String(value);
}

function capitalized(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
