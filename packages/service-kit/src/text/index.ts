export * from './trim-characters';
