import { type Conditions, inVersions, type KindDescriptor, type ParameterDescriptor } from './descriptor';

/** End of the names of kinds that are tools of other kinds. */
const SUFFIX = 'Tool';

const variants = new WeakMap<KindDescriptor, KindDescriptor>();

/** The kind that a name such as `slackTool` is the tool of, if it is one; undefined for other names. */
export function toolBaseOf(kind: string): string | undefined {
  return kind.length > SUFFIX.length && kind.endsWith(SUFFIX) ? kind.slice(0, -SUFFIX.length) : undefined;
}

/**
 * The kind as a tool that models call: `slack` as `slackTool`. It has the versions that are usable as a tool, the
 * parameters and credentials of the kind, a description for the model, and no inputs and outputs for items. The same
 * object for the same descriptor.
 * @returns undefined for a kind that is not usable as a tool
 */
export function toolVariantOf(base: KindDescriptor): KindDescriptor | undefined {
  const known = variants.get(base);
  if (known !== undefined || base.usableAsTool === undefined) return known;
  const { usableAsTool, ports: _ports, ...rest } = base;
  const variant: KindDescriptor = {
    ...rest,
    kind: `${base.kind}${SUFFIX}`,
    label: `${base.label} tool`,
    versions: base.versions.filter((version) => inVersions(usableAsTool, version)),
    inputs: [],
    outputs: [],
    provides: [{ type: 'ai_tool' }],
    toolOf: base.kind,
    parameters: [...descriptionParameters(base), ...base.parameters, ...(usableAsTool.parameters ?? [])],
  };
  variants.set(base, variant);
  return variant;
}

/** The descriptors, each followed by that of its tool if it has one. */
export function withToolVariants(kinds: Iterable<KindDescriptor>): KindDescriptor[] {
  return [...kinds].flatMap((kind) => {
    const variant = toolVariantOf(kind);
    return variant === undefined ? [kind] : [kind, variant];
  });
}

/** Kinds with operations can describe themselves. */
function descriptionParameters({ description, parameters }: KindDescriptor): ParameterDescriptor[] {
  const names = new Set(parameters.map(({ name }) => name));
  if (names.has('toolDescription')) return [];
  const isDescribed = names.has('resource') || names.has('operation');
  if (!isDescribed) return [descriptionParameter(description)];
  return [
    {
      name: 'descriptionType',
      label: 'Tool description',
      type: 'options',
      default: 'auto',
      options: [
        { value: 'auto', label: 'Set automatically' },
        { value: 'manual', label: 'Set manually' },
      ],
      help: 'Whether the description for the model is made from resource and operation.',
    },
    descriptionParameter(description, { descriptionType: ['manual'] }),
  ];
}

function descriptionParameter(description: string, shownWhen?: Conditions): ParameterDescriptor {
  return {
    name: 'toolDescription',
    label: 'Description',
    type: 'string',
    default: description,
    editor: 'multiline',
    help: 'Tells the model what the tool does and when to use it.',
    ...(shownWhen === undefined ? {} : { shownWhen }),
  };
}
