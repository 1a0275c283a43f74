import type { KindDescriptor, ParameterDescriptor, ParameterEditor, ParameterReference } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/service-kit/json-values';

/** How a form edits a parameter. */
export interface EditorHint {
  /** Only for strings: parameters of type `json` get `json`. */
  readonly editor?: ParameterEditor;
  readonly reference?: ParameterReference;
  readonly placeholder?: string;
}

/** Hints by path: `options.timeout`, or `rules.values.outputKey` within groups. */
export type EditorHints = Readonly<Record<string, EditorHint>>;

/**
 * Adds hints to the parameters of a kind; all parameters that share a path get the same ones. Values that are JSON get
 * `editor: 'json'`, unless they are resource locators or mappings of columns.
 * @throws Error for a path that no parameter has
 */
export function withEditorHints(descriptor: KindDescriptor, hints: EditorHints): KindDescriptor {
  const used = new Set<string>();
  const parameters = addHints(descriptor.parameters, '', hints, used);
  const unused = Object.keys(hints).filter((path) => !used.has(path));
  if (unused.length > 0)
    throw new Error(`Editor hints for unknown parameters of ${descriptor.kind}: ${unused.join(', ')}.`);
  return { ...descriptor, parameters };
}

function addHints(
  parameters: readonly ParameterDescriptor[],
  prefix: string,
  hints: EditorHints,
  used: Set<string>,
): ParameterDescriptor[] {
  return parameters.map((one) => {
    const path = prefix + one.name;
    const hint = Object.hasOwn(hints, path) ? hints[path] : undefined;
    if (hint !== undefined) used.add(path);
    return {
      ...one,
      ...hintOf(one, hint),
      ...(one.fields === undefined ? {} : { fields: addHints(one.fields, `${path}.`, hints, used) }),
      ...(one.groups === undefined
        ? {}
        : {
            groups: one.groups.map((group) => ({
              ...group,
              fields: addHints(group.fields, `${path}.${group.name}.`, hints, used),
            })),
          }),
    };
  });
}

function hintOf(parameter: ParameterDescriptor, { editor, ...hint }: EditorHint = {}): EditorHint {
  if (parameter.type === 'string') return { ...(editor === undefined ? {} : { editor }), ...hint };
  if (parameter.type !== 'json') return hint;
  const isText = hint.reference === undefined && !isJsonObject(parameter.default);
  return { ...(isText ? { editor: 'json' } : {}), ...hint };
}
