/**
 * Replaces `{name}` by the value of that name, in one pass: braces in values stay as they are, and so do names that
 * have no value. Values are data, never expressions.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{([a-z_]{1,40})\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
  );
}
