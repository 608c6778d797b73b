import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { plainJson } from './plain-json.ts';
import { parsePythonJson } from './python-json.ts';
import { pythonNumber } from './python-number.ts';
import { pythonPformat } from './python-pformat.ts';
import { pythonRegExp } from './python-regexp.ts';
import { pythonRepr } from './python-repr.ts';
import { PythonFloat } from './python-value.ts';

describe('values printed as Python prints them', () => {
  test('numbers keep the form they were written in', () => {
    const written = '[1, 1.0, -0, -0.0, 1e3, 1e16, 1.5e300, 0.0001, 0.00001, 123456789012345678901, 1e400, 2.5]';
    assert.equal(
      pythonRepr(parsePythonJson(written)),
      '[1, 1.0, 0, -0.0, 1000.0, 1e+16, 1.5e+300, 0.0001, 1e-05, 123456789012345678901, inf, 2.5]',
    );
  });

  test('plain JSON is what the handlers get', () => {
    assert.deepEqual(plainJson(parsePythonJson('{"a": [1.0, {"b": 10000000000000000000}], "__proto__": null}')), {
      a: [1, { b: 1e19 }],
      ['__proto__']: null,
    });
  });

  test('strings choose their quotes and escape what is not printable', () => {
    assert.equal(pythonRepr('it'), "'it'");
    assert.equal(pythonRepr("it's"), '"it\'s"');
    assert.equal(pythonRepr('both \' and "'), "'both \\' and \"'");
    assert.equal(
      pythonRepr('a\\b\n\r\t\u0000\u007f\u00a0\u00e9\u200b\ue000\u{1f600}\u{e0001}'),
      "'a\\\\b\\n\\r\\t\\x00\\x7f\\xa0é\\u200b\\ue000😀\\U000e0001'",
    );
  });

  test('constants and containers', () => {
    assert.equal(pythonRepr({ a: [null, true, false, {}], "b'": [] }), "{'a': [None, True, False, {}], \"b'\": []}");
  });

  test('what does not fit the width is laid out a member a line', () => {
    assert.equal(pythonPformat({ alpha: ['one', 'two'], beta: 'x' }, 72), "{'alpha': ['one', 'two'], 'beta': 'x'}");
    assert.equal(pythonPformat({ alpha: ['one', 'two'], beta: 'x' }, 20), "{'alpha': ['one',\n           'two'],\n 'beta': 'x'}");
  });

  test('a long string breaks after spaces and line ends, in parentheses at the top', () => {
    assert.equal(pythonPformat('aaaa bbbb cccc\ndd', 12), "('aaaa '\n 'bbbb '\n 'cccc\\n'\n 'dd')");
    assert.equal(pythonPformat(['aaaa bbbb cccc'], 12), "['aaaa '\n 'bbbb '\n 'cccc']");
  });
});

describe('strings read as Python reads them', () => {
  test('int() first, then float(), else nothing', () => {
    assert.equal(pythonNumber(' 1_000\n'), 1000);
    assert.equal(pythonNumber('+007'), 7);
    assert.equal(pythonNumber('\u0663'), 3);
    assert.equal(pythonNumber('12345678901234567890'), 12345678901234567890n);
    assert.deepEqual(pythonNumber('1.5'), new PythonFloat(1.5));
    assert.deepEqual(pythonNumber('.5e1'), new PythonFloat(5));
    assert.deepEqual(pythonNumber('-Infinity'), new PythonFloat(-Infinity));
    for (const text of ['', ' ', 'a', '1_', '_1', '1__0', '0x10', '1e', '.', '\ufeff1', '--1']) {
      assert.equal(pythonNumber(text), null, JSON.stringify(text));
    }
  });

  test('the end of a pattern also matches before a final newline, but not before two', () => {
    const digits = pythonRegExp('^[0-9$.]*$');
    assert.ok(digits.test('12\n') && digits.test('1$.'));
    assert.ok(!digits.test('12\n\n') && !digits.test('12\r'));
    assert.ok(pythonRegExp('^a.b\\.$').test('a\rb.') && !pythonRegExp('^a.b$').test('a\nb'));
  });
});
