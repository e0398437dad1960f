// The smallest Worker: it only lends its bucket to the test process.
export default { fetch: () => new Response('r2') };
