import { toInteger, toNumber, toText } from '../runtime/convert';
import { NativeConstructor, NativeFunction, nativeFunctions } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { rangeError, typeError } from '../runtime/thrown';
import { VirtualObject } from '../runtime/values/virtual-object';

/** A block of bytes: what `ArrayBuffer` and `SharedArrayBuffer` make. Nothing is shared: it lives in one evaluation. */
export class BufferValue extends VirtualObject {
  constructor(
    readonly kind: string,
    readonly bytes: Uint8Array,
  ) {
    super();
  }

  override get(run: Run, key: string): unknown {
    if (key === 'byteLength') return this.bytes.length;
    if (key !== 'slice') return undefined;
    return new NativeFunction(key, 2, (_run, _self, [start, end]) => {
      run.allowEntries(this.bytes.length);
      return new BufferValue(
        this.kind,
        this.bytes.slice(toInteger(run, start), toInteger(run, end, this.bytes.length)),
      );
    });
  }

  override keys(): readonly string[] {
    return [];
  }

  override text(): string {
    return `[object ${this.kind}]`;
  }
}

/** Reads and writes numbers in a block of bytes: what `DataView` makes. */
class DataViewValue extends VirtualObject {
  private readonly view: DataView;

  constructor(
    private readonly buffer: BufferValue,
    offset: number,
    length: number,
  ) {
    super();
    if (offset < 0 || length < 0 || offset + length > buffer.bytes.length) throw rangeError('Invalid DataView length');
    this.view = new DataView(buffer.bytes.buffer, buffer.bytes.byteOffset + offset, length);
  }

  override get(_run: Run, key: string): unknown {
    if (key === 'buffer') return this.buffer;
    if (key === 'byteLength') return this.view.byteLength;
    if (key === 'byteOffset') return this.view.byteOffset - this.buffer.bytes.byteOffset;
    const access = Object.hasOwn(ACCESS, key) ? ACCESS[key] : undefined;
    if (access === undefined) return undefined;
    return new NativeFunction(key, 1, (run, _self, args) => within(() => access(run, this.view, args)));
  }

  override keys(): readonly string[] {
    return [];
  }

  override text(): string {
    return '[object DataView]';
  }
}

type Access = (run: Run, view: DataView, args: Arguments) => unknown;

const NUMBER_TYPES = [
  'Int8',
  'Uint8',
  'Int16',
  'Uint16',
  'Int32',
  'Uint32',
  'Float32',
  'Float64',
] as const satisfies readonly string[];

const ACCESS: Readonly<Record<string, Access>> = Object.fromEntries(
  NUMBER_TYPES.flatMap((type): [string, Access][] => [
    [`get${type}`, (run, view, [offset, little]) => view[`get${type}`](toInteger(run, offset), Boolean(little))],
    [
      `set${type}`,
      (run, view, [offset, value, little]) => {
        view[`set${type}`](toInteger(run, offset), toNumber(run, value), Boolean(little));
      },
    ],
  ]),
);

/** Turns the exception of the host for a place outside of the bytes into one of the language. */
function within<T>(body: () => T): T {
  try {
    return body();
  } catch {
    throw rangeError('Offset is outside the bounds of the DataView');
  }
}

function buffer(name: string): NativeConstructor {
  return new NativeConstructor(name, 1, {
    construct: (run, [size]) => {
      const length = toInteger(run, size);
      if (length < 0) throw rangeError('Array buffer allocation failed');
      run.allowEntries(length);
      return new BufferValue(name, new Uint8Array(length));
    },
    call: () => {
      throw typeError(`Constructor ${name} requires 'new'`);
    },
    isInstance: (value) => value instanceof BufferValue && value.kind === name,
    members: nativeFunctions({ isView: (_run, [value]) => value instanceof DataViewValue }),
  });
}

/** What `Symbol` makes: a value that equals nothing else. It names no protocol of the language here. */
export class SymbolValue extends VirtualObject {
  override readonly typeName = 'symbol';

  constructor(private readonly description: string | undefined) {
    super();
  }

  override get(_run: Run, key: string): unknown {
    if (key === 'description') return this.description;
    return key === 'toString' ? new NativeFunction(key, 0, () => this.text()) : undefined;
  }

  override keys(): readonly string[] {
    return [];
  }

  override text(): string {
    return `Symbol(${this.description ?? ''})`;
  }
}

/** `ArrayBuffer`, `SharedArrayBuffer`, `DataView` and `Symbol`. */
export const bufferConstructors: Readonly<Record<string, NativeConstructor>> = {
  ArrayBuffer: buffer('ArrayBuffer'),
  SharedArrayBuffer: buffer('SharedArrayBuffer'),
  DataView: new NativeConstructor('DataView', 1, {
    construct: (run, [source, offset, length]) => {
      if (!(source instanceof BufferValue))
        throw typeError('First argument to DataView constructor must be an ArrayBuffer');
      const start = toInteger(run, offset);
      return new DataViewValue(source, start, toInteger(run, length, source.bytes.length - start));
    },
    isInstance: (value) => value instanceof DataViewValue,
  }),
  Symbol: new NativeConstructor('Symbol', 0, {
    construct: () => {
      throw typeError('Symbol is not a constructor');
    },
    call: (run, [description]) => new SymbolValue(description === undefined ? undefined : toText(run, description)),
    isInstance: () => false,
    members: { iterator: new SymbolValue('Symbol.iterator') },
  }),
};
