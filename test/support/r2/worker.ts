// A minimal Worker that only gives the test process access to its bucket.
export default { fetch: () => new Response('r2') };
