// Checks canonical JSON with the examples of RFC 8785.
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/json/canonical.ts';

describe('canonical JSON', () => {
  it('writes the example of RFC 8785 §3.2.2', () => {
    const value = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    );
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts keys by UTF-16 units, as in RFC 8785 §3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalJson(value)))).toEqual([
      // JavaScript reads a key that is an index first.
      'One',
      'Carriage Return',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
    expect(canonicalJson(value).indexOf('Carriage')).toBeLessThan(canonicalJson(value).indexOf('One'));
  });

  // RFC 8785, appendix B
  it.each([
    [0, '0'],
    [-0, '0'],
    [5e-324, '5e-324'],
    [-5e-324, '-5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [9007199254740992, '9007199254740992'],
    [295147905179352830000, '295147905179352830000'],
    [9.999999999999997e22, '9.999999999999997e+22'],
    [1e23, '1e+23'],
    [999999999999999700000, '999999999999999700000'],
    [1e21, '1e+21'],
    [9.999999999999997e-7, '9.999999999999997e-7'],
    [0.000001, '0.000001'],
    [333333333.3333332, '333333333.3333332'],
    [Number('1424953923781206.25'), '1424953923781206.2'],
  ])('writes the number %d', (number, text) => {
    expect(canonicalJson(number)).toBe(text);
  });

  it.each([['\uD800'], [{ '\uDEAD': 1 }], [Number.NaN], [Infinity], [() => 1]])('refuses %o', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it('leaves out members without a value, and keeps a member named __proto__', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":2}'))).toBe('{"__proto__":2,"b":1}');
  });

  it('refuses a value that contains itself', () => {
    const value: Record<string, unknown> = {};
    value['self'] = value;
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});
