import type { Json } from '@weft/node-catalogue/definitions';
import type { Path } from '../json/tree';
import { toExpression } from './conversions';
import type { FormField } from './field';

const NAME = /^[A-Za-z_$][\w$]{0,200}$/;

/** The expression that reads a key of an item. @param root for example `$json` */
export function keyExpression(root: string, path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return NAME.test(step) ? `${text}.${step}` : `${text}[${JSON.stringify(step)}]`;
  }, root);
}

/** The root for the items of a node: those of the input itself, or of a node that is named. */
export function itemRoot(node: string | undefined): string {
  if (node === undefined) return '$json';
  return `$('${node.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}').item.json`;
}

/**
 * The value of a field into which a key of an item is inserted: added to an expression or a text, in place of anything
 * else.
 */
export function insertKey({ control, value }: Pick<FormField, 'control' | 'value'>, expression: string): Json {
  const body = `{{ ${expression} }}`;
  if (control.kind === 'expression') return control.text === '=' ? `=${body}` : `${control.text} ${body}`;
  const isText = (control.kind === 'text' || (control.kind === 'json' && control.isText)) && control.text !== '';
  return isText ? `${toExpression(value)} ${body}` : `=${body}`;
}

/** True for a field that a key can be inserted into. */
export function takesKeys({ control, canSwitch }: Pick<FormField, 'control' | 'canSwitch'>): boolean {
  return control.kind === 'locator' ? control.inner.canSwitch : canSwitch;
}
