import type { ParameterDescriptor } from '@weft/node-catalogue';

/**
 * Adds a help text to parameters, by path: `options.timeout`, or `rules.values.outputKey` within groups. All parameters
 * that share a path get the same text; those that already have one keep it.
 * @throws Error for a path that no parameter has
 */
export function withHelp(
  help: Readonly<Record<string, string>>,
  parameters: readonly ParameterDescriptor[],
): ParameterDescriptor[] {
  const used = new Set<string>();
  const described = describe(parameters, '', help, used);
  const unused = Object.keys(help).filter((path) => !used.has(path));
  if (unused.length > 0) throw new Error(`Help for unknown parameters: ${unused.join(', ')}.`);
  return described;
}

function describe(
  parameters: readonly ParameterDescriptor[],
  prefix: string,
  help: Readonly<Record<string, string>>,
  used: Set<string>,
): ParameterDescriptor[] {
  return parameters.map((one) => {
    const path = prefix + one.name;
    const text = Object.hasOwn(help, path) ? help[path] : undefined;
    if (text !== undefined) used.add(path);
    return {
      ...one,
      ...(one.help === undefined && text !== undefined ? { help: text } : {}),
      ...(one.fields === undefined ? {} : { fields: describe(one.fields, `${path}.`, help, used) }),
      ...(one.groups === undefined
        ? {}
        : {
            groups: one.groups.map((group) => ({
              ...group,
              fields: describe(group.fields, `${path}.${group.name}.`, help, used),
            })),
          }),
    };
  });
}
