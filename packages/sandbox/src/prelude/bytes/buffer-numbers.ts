/** Number accessors of a buffer, named as in Node. */
export class BufferNumbers extends Uint8Array {
  get #view(): DataView {
    return new DataView(this.buffer, this.byteOffset, this.byteLength);
  }

  readUInt8(offset = 0): number {
    return this.#view.getUint8(offset);
  }
  readInt8(offset = 0): number {
    return this.#view.getInt8(offset);
  }
  readUInt16LE(offset = 0): number {
    return this.#view.getUint16(offset, true);
  }
  readUInt16BE(offset = 0): number {
    return this.#view.getUint16(offset);
  }
  readInt16LE(offset = 0): number {
    return this.#view.getInt16(offset, true);
  }
  readInt16BE(offset = 0): number {
    return this.#view.getInt16(offset);
  }
  readUInt32LE(offset = 0): number {
    return this.#view.getUint32(offset, true);
  }
  readUInt32BE(offset = 0): number {
    return this.#view.getUint32(offset);
  }
  readInt32LE(offset = 0): number {
    return this.#view.getInt32(offset, true);
  }
  readInt32BE(offset = 0): number {
    return this.#view.getInt32(offset);
  }
  readFloatLE(offset = 0): number {
    return this.#view.getFloat32(offset, true);
  }
  readFloatBE(offset = 0): number {
    return this.#view.getFloat32(offset);
  }
  readDoubleLE(offset = 0): number {
    return this.#view.getFloat64(offset, true);
  }
  readDoubleBE(offset = 0): number {
    return this.#view.getFloat64(offset);
  }

  writeUInt8(value: number, offset = 0): number {
    return this.#written(offset, 1, this.#view.setUint8(offset, value));
  }
  writeInt8(value: number, offset = 0): number {
    return this.#written(offset, 1, this.#view.setInt8(offset, value));
  }
  writeUInt16LE(value: number, offset = 0): number {
    return this.#written(offset, 2, this.#view.setUint16(offset, value, true));
  }
  writeUInt16BE(value: number, offset = 0): number {
    return this.#written(offset, 2, this.#view.setUint16(offset, value));
  }
  writeInt16LE(value: number, offset = 0): number {
    return this.#written(offset, 2, this.#view.setInt16(offset, value, true));
  }
  writeInt16BE(value: number, offset = 0): number {
    return this.#written(offset, 2, this.#view.setInt16(offset, value));
  }
  writeUInt32LE(value: number, offset = 0): number {
    return this.#written(offset, 4, this.#view.setUint32(offset, value, true));
  }
  writeUInt32BE(value: number, offset = 0): number {
    return this.#written(offset, 4, this.#view.setUint32(offset, value));
  }
  writeInt32LE(value: number, offset = 0): number {
    return this.#written(offset, 4, this.#view.setInt32(offset, value, true));
  }
  writeInt32BE(value: number, offset = 0): number {
    return this.#written(offset, 4, this.#view.setInt32(offset, value));
  }
  writeFloatLE(value: number, offset = 0): number {
    return this.#written(offset, 4, this.#view.setFloat32(offset, value, true));
  }
  writeFloatBE(value: number, offset = 0): number {
    return this.#written(offset, 4, this.#view.setFloat32(offset, value));
  }
  writeDoubleLE(value: number, offset = 0): number {
    return this.#written(offset, 8, this.#view.setFloat64(offset, value, true));
  }
  writeDoubleBE(value: number, offset = 0): number {
    return this.#written(offset, 8, this.#view.setFloat64(offset, value));
  }

  /** Returns the offset after the written value, like Node. */
  #written(offset: number, bytes: number, _done: void): number {
    return offset + bytes;
  }
}
