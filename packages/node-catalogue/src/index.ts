export * from './json';
export * from './definition';
export * from './read-definition';
