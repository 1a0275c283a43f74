import type { Entry, Item, Tree, When } from './annotated-tree';
import type { Scalar } from './json';

/** Places that values of the chart fill. Paths are like `Deployment/weft-gateway:spec.ports[grpc].port`. */
export interface Holes {
  /** The template text in place of a scalar; undefined: the scalar itself. */
  readonly scalar: (path: string, value: Scalar) => string | undefined;
  /** An expression that, if it is set, replaces the whole value of a key. */
  readonly override: (path: string) => string | undefined;
  /** Template lines at the end of a map. */
  readonly inject: (path: string) => readonly string[];
  /** Template lines in place of a key with its value. */
  readonly replace: (path: string) => readonly string[] | undefined;
  /** An expression without which an object is left out. */
  readonly wanted: (path: string) => string | undefined;
  /** The expression of a layer. */
  readonly condition: (layer: string) => string;
}

const INDENT = '  ';
const RESERVED = /^(?:true|false|on|off|yes|no|null|y|n)$/i;

/** Marks of Go templates inside a string are printed by the template. */
const escapeMarks = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');

const scalarText = (value: Scalar): string => {
  if (typeof value !== 'string') return String(value);
  if (/^[A-Za-z/][\w./-]*$/.test(value) && !RESERVED.test(value)) return value;
  return escapeMarks(JSON.stringify(value));
};

const expressionOf = (when: When, holes: Holes): string => {
  const parts = Object.entries(when).map(([layer, isOn]) => {
    const condition = holes.condition(layer);
    if (isOn) return condition;
    return `not ${/\s/.test(condition) ? `(${condition})` : condition}`;
  });
  if (parts.length === 1) return parts[0] ?? '';
  return `and ${parts.map((part) => (/\s/.test(part) ? `(${part})` : part)).join(' ')}`;
};

const without = (when: When, known: When): When =>
  Object.fromEntries(Object.entries(when).filter(([layer, isOn]) => known[layer] !== isOn));

const keyOf = (when: When): string => JSON.stringify(Object.entries(when).sort());

interface Place {
  readonly path: string;
  readonly indent: string;
  /** Layers that a surrounding condition has decided. */
  readonly known: When;
  readonly holes: Holes;
}

/** True if exactly one of two conditions holds, whatever the values. */
const areOpposites = (one: When, other: When): boolean => {
  const [layer = ''] = Object.keys(one);
  return Object.keys(one).length === 1 && Object.keys(other).length === 1 && other[layer] === !one[layer];
};

/** Puts adjacent parts with the same condition into one block, and those with the opposite one into its `else`. */
const inBlocks = <Part extends { readonly when: When }>(
  parts: readonly Part[],
  { indent, known, holes }: Place,
  emit: (part: Part, known: When) => readonly string[],
): string[] => {
  const lines: string[] = [];
  let open: When = {};
  let isElse = false;
  const close = (): void => {
    if (keyOf(open) !== keyOf({})) lines.push(`${indent}{{- end }}`);
    isElse = false;
  };
  for (const part of parts) {
    const when = without(part.when, known);
    if (keyOf(when) !== keyOf(open)) {
      if (!isElse && areOpposites(open, when)) {
        lines.push(`${indent}{{- else }}`);
        isElse = true;
      } else {
        close();
        if (keyOf(when) !== keyOf({})) lines.push(`${indent}{{- if ${expressionOf(when, holes)} }}`);
      }
      open = when;
    }
    lines.push(...emit(part, { ...known, ...when }));
  }
  close();
  return lines;
};

/** Entries with one condition next to each other, those with its opposite after them: the order in a map is free. */
const grouped = (entries: readonly Entry[], known: When): readonly Entry[] => {
  const whenOf = (entry: Entry): When => without(entry.when, known);
  const place = (entry: Entry): number => {
    const when = whenOf(entry);
    if (Object.keys(when).length === 0) return entries.indexOf(entry);
    return entries.findIndex((other) => keyOf(whenOf(other)) === keyOf(when) || areOpposites(whenOf(other), when));
  };
  const isOpposite = (entry: Entry): number => (Object.values(whenOf(entry))[0] === false ? 1 : 0);
  return [...entries].sort((one, other) => place(one) - place(other) || isOpposite(one) - isOpposite(other));
};

/** Lines of a value below a key or a dash; the value of a scalar follows on the same line. */
const emitValue = (head: string, node: Tree, place: Place): string[] => {
  const { path, indent, holes } = place;
  if (node.kind === 'scalar') {
    const text = holes.scalar(path, node.value);
    if (text !== undefined) return [`${head} ${text}`];
    if (typeof node.value === 'string' && node.value.includes('\n') && !node.value.includes('{{')) {
      const ending = node.value.endsWith('\n') ? '|' : '|-';
      const body = node.value.replace(/\n$/, '').split('\n');
      return [`${head} ${ending}`, ...body.map((line) => (line === '' ? '' : `${indent}${INDENT}${line}`))];
    }
    return [`${head} ${scalarText(node.value)}`];
  }
  const parts: readonly (Entry | Item)[] = node.kind === 'map' ? node.entries : node.items;
  if (parts.length === 0 && holes.inject(path).length === 0) return [`${head} ${node.kind === 'map' ? '{}' : '[]'}`];
  return [head, ...emitTree(node, { ...place, indent: `${indent}${INDENT}` })];
};

const emitEntry = (entry: Entry, place: Place, head: string): string[] => {
  const path = place.path.endsWith(':') ? `${place.path}${entry.key}` : `${place.path}.${entry.key}`;
  const replaced = place.holes.replace(path);
  if (replaced !== undefined) return replaced.map((line) => `${place.indent}${line}`);
  const lines = emitValue(`${head}${entry.key}:`, entry.node, { ...place, path });
  const expression = place.holes.override(path);
  if (expression === undefined) return lines;
  const { indent } = place;
  const given = `${head}${entry.key}: {{ toYaml ${expression} | nindent ${indent.length + INDENT.length} }}`;
  return [`${indent}{{- if ${expression} }}`, given, `${indent}{{- else }}`, ...lines, `${indent}{{- end }}`];
};

const idOf = (node: Tree, index: number): string => {
  const name = node.kind === 'map' ? node.entries.find(({ key }) => key === 'name')?.node : undefined;
  return name?.kind === 'scalar' ? String(name.value) : String(index);
};

/** The first line of an item of a list is its dash with a scalar that is always there, or the dash alone. */
const emitItem = ({ node }: Item, index: number, place: Place): string[] => {
  const { indent, holes } = place;
  const path = `${place.path}[${idOf(node, index)}]`;
  if (node.kind !== 'map') return emitValue(`${indent}-`, node, { ...place, path });
  const isPlain = ({ key, when, node: inner }: Entry): boolean =>
    inner.kind === 'scalar' &&
    Object.keys(without(when, place.known)).length === 0 &&
    holes.replace(`${path}.${key}`) === undefined &&
    holes.override(`${path}.${key}`) === undefined;
  const first = node.entries.find((entry) => entry.key === 'name' && isPlain(entry)) ?? node.entries.find(isPlain);
  const inner = { ...place, path, indent: `${indent}${INDENT}` };
  if (first === undefined) return [`${indent}-`, ...emitTree(node, inner)];
  const others: Tree = { kind: 'map', entries: node.entries.filter((entry) => entry !== first) };
  return [...emitEntry(first, inner, `${indent}- `), ...emitTree(others, inner)];
};

/** The lines of a map or a list. */
export const emitTree = (node: Tree, place: Place): string[] => {
  if (node.kind === 'scalar') throw new Error(`${place.path} is a scalar.`);
  if (node.kind === 'list')
    return inBlocks(
      node.items.map((item, index) => ({ ...item, index })),
      place,
      (item, known) => emitItem(item, item.index, { ...place, known }),
    );
  return [
    ...inBlocks(grouped(node.entries, place.known), place, (entry, known) =>
      emitEntry(entry, { ...place, known }, place.indent),
    ),
    ...place.holes.inject(place.path).map((line) => `${place.indent}${line}`),
  ];
};

/** A whole object, within its condition and that of the values. */
export const emitObject = (path: string, when: When, node: Tree, holes: Holes): string => {
  const lines = ['---', ...emitTree(node, { path: `${path}:`, indent: '', known: when, holes })];
  const more = holes.wanted(path);
  if (Object.keys(when).length === 0) return `${lines.join('\n')}\n`;
  const condition = expressionOf(when, holes);
  const whole = more === undefined ? condition : `and ${condition} ${more}`;
  return `{{- if ${whole} }}\n${lines.join('\n')}\n{{- end }}\n`;
};
