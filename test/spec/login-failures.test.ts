// Tests whom a provider's response signs in, and which responses are refused. reference: Portal sign-in, and
// who is let in by what a provider says; decision: 016
import { describe, expect, it } from 'vitest';
import { PROVIDERS, refusal, SECRET, useSignIns } from '../support/sign-ins.ts';

const { stand, back, begin, bySubject, claim, open, signIn, users } = useSignIns();

describe.each(PROVIDERS)('%s', (name) => {
  const provider = () => stand.providers[name];

  it('signs in with a valid response, and lower-cases the e-mail', async () => {
    claim(name, { email: ` ${stand.person.toUpperCase()}@Example.COM ` });
    const response = await signIn(name);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(/^http:\/\/localhost:3000#token=/);
    // The address holds the session.
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await users()).not.toBeNull();
  });

  it('accepts email_verified as the text "true"', async () => {
    claim(name, { email_verified: 'true' });
    expect((await signIn(name)).status).toBe(302);
  });

  it.each<[string, object, object, RegExp | null]>([
    ['with its verification', {}, { email_verified: true }, null],
    ['that is not verified', {}, { email_verified: false }, /not verified/],
    [
      'verified there, and refused in the ID token',
      { email_verified: false },
      { email_verified: true },
      /not verified/,
    ],
    ['of another person', {}, { email_verified: true, sub: 'eve' }, /did not send your e-mail/],
    ['that is a list', {}, { email: ['a@example.com'], email_verified: true }, /did not send your e-mail/],
  ])('reads at userinfo an address that the ID token lacks: %s', async (_, claims, info, why) => {
    claim(name, { email: undefined, email_verified: undefined, ...claims });
    provider().script.info = { email: `${stand.person}@example.com`, ...info };
    const response = await signIn(name);
    expect(provider().presented).toEqual(['Bearer x']);
    if (why === null) expect(await users()).not.toBeNull();
    else expect(await refusal(response)).toMatch(why);
  });

  it('sends the code once, with the same redirect URI and the client secret', async () => {
    await signIn(name);
    expect(provider().forms.map((form) => Object.fromEntries(form))).toEqual([
      {
        grant_type: 'authorization_code',
        code: 'code',
        redirect_uri: `http://localhost:3000/api/auth/${name}/callback`,
      },
    ]);
  });

  it.each([
    ['another nonce', { nonce: 'other' }, /belongs to another sign-in/],
    ['no nonce', { nonce: undefined }, /belongs to another sign-in/],
    ['another audience', { aud: 'somebody' }, /another application/],
    ['another audience in a list', { aud: ['somebody'] }, /another application/],
    ['an audience that is a number', { aud: 5 }, /another application/],
    ['an audience that is an object', { aud: { gateway: true } }, /another application/],
    ['several others, and this party', { aud: ['a', 'b'], azp: 'gateway' }, /another application/],
    ['several audiences and another party', { aud: ['gateway', 'b'], azp: 'b' }, /another application/],
    ['another issuer', { iss: 'https://evil.example' }, /does not come from/],
    ['no issuer', { iss: undefined }, /could not be verified/],
    ['an expiry long past', { exp: 1_700_000_000 }, /has expired/],
    ['no expiry', { exp: undefined }, /could not be verified/],
    ['a beginning to come', { nbf: 1_900_000_000 }, /could not be verified/],
    ['no subject', { sub: undefined }, /could not be verified/],
    ['an empty subject', { sub: '' }, /could not be verified/],
    ['a subject longer than 255 characters', { sub: 's'.repeat(256) }, /could not be verified/],
    ['a number for a subject', { sub: 42 }, /could not be verified/],
    ['a list for a subject', { sub: ['someone'] }, /could not be verified/],
    ['no e-mail address', { email: undefined }, /did not send your e-mail/],
    ['one that is longer than any', { email: `${'e'.repeat(250)}@x.example` }, /did not send your e-mail/],
    ['an unverified address', { email_verified: false }, /not verified/],
    ['an address unverified in words', { email_verified: 'false' }, /not verified/],
    ['an address unverified in capitals', { email_verified: 'FALSE' }, /not verified/],
    ['an address verified by null', { email_verified: null }, /not verified/],
    ['an address verified by 0', { email_verified: 0 }, /not verified/],
    ['an address verified by 1', { email_verified: 1 }, /not verified/],
    ['an address verified by "no"', { email_verified: 'no' }, /not verified/],
    ['an address verified by "TRUE"', { email_verified: 'TRUE' }, /not verified/],
    ['an address verified by a list', { email_verified: [true] }, /not verified/],
  ])('refuses %s', async (_, claims, sentence) => {
    claim(name, claims);
    expect(await refusal(await signIn(name))).toMatch(sentence);
    expect(await users()).toBeNull();
  });

  it.each(['foreign', 'none', 'hs256'] as const)('refuses a %s signature', async (signature) => {
    provider().script.signature = signature;
    expect(await refusal(await signIn(name))).toMatch(/could not be verified/);
    expect(await users()).toBeNull();
  });

  it('tolerates a clock that is 60 seconds off, and no more', async () => {
    claim(name, { exp: stand.app.clock.now() - 59 });
    expect((await signIn(name)).status).toBe(302);
    claim(name, { exp: stand.app.clock.now() - 60 });
    expect(await refusal(await signIn(name))).toMatch(/has expired/);
  });

  it('accepts several audiences when the authorized party is this client', async () => {
    claim(name, { aud: ['other', 'gateway'], azp: 'gateway' });
    expect((await signIn(name)).status).toBe(302);
  });

  it.each([
    ['a provider error', { error: 'access_denied' }, /did not let you in \(access_denied\)/],
    ['an error that is no word', { error: '<b>x</b>' }, /did not let you in \(unknown error\)/],
    ['no code', {}, /without a code/],
    ['an empty code', { code: '' }, /without a code/],
  ])('answers 400 to %s, and uses the state up', async (_, query, sentence) => {
    const state = await begin(name);
    expect(await refusal(await back(name, { ...query, state }))).toMatch(sentence);
    expect(await refusal(await back(name, { code: 'code', state }))).toMatch(/did not start here/);
    expect(provider().asked.token).toBe(0);
  });

  it.each([
    ['no state', undefined],
    ['an unknown state', 'f'.repeat(64)],
    ['an odd state', "..';--"],
  ])('answers 400 to %s', async (_, state) => {
    expect(
      await refusal(await back(name, { code: 'code', ...(state === undefined ? {} : { state }) })),
    ).toMatch(/did not start here/);
  });

  it('answers 400 to a used state and to one that is 600 seconds old', async () => {
    const used = await begin(name);
    await back(name, { code: 'code', state: used });
    expect(await refusal(await back(name, { code: 'code', state: used }))).toMatch(/was already used/);
    const [old, young] = [await begin(name), await begin(name)];
    stand.app.clock.advance(599);
    expect((await back(name, { code: 'code', state: young })).status).toBe(302);
    stand.app.clock.advance(1);
    expect(await refusal(await back(name, { code: 'code', state: old }))).toMatch(/took too long/);
  });

  it('answers 400 to a state of the other provider, and uses it up', async () => {
    const other = name === 'hosted' ? 'idp' : 'hosted';
    const state = await begin(other);
    expect(await refusal(await back(name, { code: 'code', state }))).toMatch(/did not start here/);
    expect(await refusal(await back(other, { code: 'code', state }))).toMatch(/did not start here/);
  });

  it('signs in one of 50 callbacks with the same state', async () => {
    for (let round = 0; round < 3; round++) {
      const state = await begin(name);
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => back(name, { code: 'code', state })),
      );
      expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
    }
  });

  it('signs nobody in with a state that was changed, and leaves the state itself valid', async () => {
    const state = await begin(name);
    for (const at of [0, 8, 60, state.length - 2]) {
      const changed = `${state.slice(0, at)}${state[at] === 'A' ? 'B' : 'A'}${state.slice(at + 1)}`;
      expect(await refusal(await back(name, { code: 'code', state: changed }))).toMatch(/did not start here/);
    }
    expect((await back(name, { code: 'code', state })).status).toBe(302);
  });

  it('seals its state with ENCRYPTION_KEY, in less than 256 characters', async () => {
    const state = await begin(name);
    expect(state).toMatch(/^[\w-]{100,255}$/);
    const whole = stand.app;
    stand.app = await open({ ENCRYPTION_KEY: 'fedcba9876543210'.repeat(4) });
    expect(await refusal(await back(name, { code: 'code', state }))).toMatch(/did not start here/);
    await stand.app.close();
    stand.app = whole;
  });

  it('creates one account for 50 concurrent first sign-ins', async () => {
    const states = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { url } = await (await stand.app.request(`/api/auth/${name}`)).json();
        return new URL(url).searchParams;
      }),
    );
    const answers = await Promise.all(
      states.map((query) => back(name, { code: query.get('nonce') ?? '', state: query.get('state') ?? '' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(states.map(() => 302));
    const subjects = await Promise.all(
      answers.map(async (answer) => {
        const token = answer.headers.get('location')?.split('#token=')[1] ?? '';
        return (await stand.app.deps.sessions.verify(token))?.userId;
      }),
    );
    expect(new Set(subjects).size).toBe(1);
    expect(provider().asked).toMatchObject({ discovery: 1, keys: 1 });
  });

  it('never replaces a subject because the e-mail is the same', async () => {
    await signIn(name);
    const before = await users();
    claim(name, { sub: 'somebody else' });
    expect(await refusal(await signIn(name))).toMatch(/belongs to another account/);
    expect(await users()).toEqual(before);
  });

  it("keeps a subject's account when its e-mail changes", async () => {
    await signIn(name);
    const before = await users();
    claim(name, { email: `renamed-${stand.person}@example.com` });
    expect((await signIn(name)).status).toBe(302);
    expect(await users()).toEqual(before);
    expect(await stand.app.deps.store.users.byEmail(`renamed-${stand.person}@example.com`)).toBeNull();
  });

  it('treats an e-mail with similar-looking letters as another one', async () => {
    const seeded = await stand.app.user(`${stand.person}-mike@example.com`);
    claim(name, { email: `${stand.person}-mi\u212Ae@example.com` });
    expect((await signIn(name)).status).toBe(302);
    const user = await bySubject(name);
    expect(user?.id).not.toBe(seeded.id);
  });

  it('finds a seeded account by its e-mail', async () => {
    const seeded = await stand.app.user(`${stand.person}@example.com`);
    await signIn(name);
    expect(await bySubject(name)).toMatchObject({ id: seeded.id });
  });
});

describe('differences between the providers', () => {
  it('accept for hosted an issuer as URL or as bare host, and for idp only as URL', async () => {
    for (const name of PROVIDERS) {
      claim(name, { iss: stand.providers[name].issuer.replace('http://', '') });
    }
    expect((await signIn('hosted')).status).toBe(302);
    expect(await refusal(await signIn('idp'))).toMatch(/does not come from/);
  });

  it('require for hosted a verified e-mail, and for idp accept a missing claim', async () => {
    for (const name of PROVIDERS) claim(name, { email_verified: undefined });
    expect(await refusal(await signIn('hosted'))).toMatch(/not verified/);
    expect((await signIn('idp')).status).toBe(302);
  });

  it('send the secret in the form to a provider that requires it there', async () => {
    const whole = stand.app;
    stand.app = await open({});
    const { issuer } = stand.providers.hosted;
    stand.providers.hosted.script.discovery = {
      body: JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      }),
    };
    expect((await signIn('hosted')).status).toBe(302);
    expect(stand.providers.hosted.forms[0]?.get('client_secret')).toBeTruthy();
    await stand.app.close();
    stand.app = whole;
  });

  it('let hosted without its secret begin, and name at the callback what is missing', async () => {
    const whole = stand.app;
    stand.app = await open({ HOSTED_CLIENT_SECRET: '' });
    expect(await refusal(await signIn('hosted'))).toMatch(/Hosted OAuth not configured/);
    expect(stand.providers.hosted.asked.token).toBe(0);
    await stand.app.close();
    stand.app = whole;
  });
});

describe('sign-in secrets', () => {
  it('appear in no log line', async () => {
    const state = await begin('hosted');
    const answer = await back('hosted', { code: 'a-code-that-is-secret', state });
    const token = answer.headers.get('location')?.split('#token=')[1] ?? '-';
    await back('hosted', { code: 'a-code-that-is-secret', state });
    stand.providers.hosted.script.token = { status: 500, body: '{}' };
    await signIn('hosted');
    const logged = JSON.stringify(stand.app.lines);
    for (const secret of [
      state,
      stand.nonce,
      token,
      'a-code-that-is-secret',
      SECRET,
      encodeURIComponent(SECRET),
    ])
      expect(logged).not.toContain(secret);
  });
});
