/** A new UUID. `crypto.randomUUID` exists only on secure origins, and an instance may be served over plain HTTP. */
export const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, at) => {
    if (at === 6) return (0x40 | (byte & 0x0f)).toString(16);
    if (at === 8) return (0x80 | (byte & 0x3f)).toString(16);
    return byte.toString(16).padStart(2, '0');
  }).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
