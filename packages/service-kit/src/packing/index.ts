export { pack, unpack, type PackedBytes } from './packed-bytes';
