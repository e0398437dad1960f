// The smallest Worker: it only lends its D1 binding to the test process.
export default { fetch: () => new Response('d1') };
