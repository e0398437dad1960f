// Is loaded at the first GraphQL document: what is used of the library. A bundler drops the rest.
export { GraphQLError } from 'graphql/error';
export { parse, print } from 'graphql/language';
