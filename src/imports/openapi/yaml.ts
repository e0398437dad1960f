// Is loaded at the first description in YAML: what is used of the library. A bundler drops the rest.
export { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
