export { gather, type GatherOptions } from './gather';
