export { createBoundedCache, type BoundedCache, type CacheOptions } from './bounded-cache';
