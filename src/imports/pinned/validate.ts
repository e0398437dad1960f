// Is loaded when the first import is read: what is used of the library. A bundler drops the rest.
export { validate } from '@cfworker/json-schema';
