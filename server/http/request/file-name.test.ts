import { describe, expect, it } from 'vitest';
import { cleanFileName } from './file-name.ts';

describe('cleanFileName', () => {
  it.each([
    ['notes.pdf', 'notes.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\Mes notes.pdf', 'Mes notes.pdf'],
    ['..', 'document'],
    ['/', 'document'],
    ['', 'document'],
    [undefined, 'document'],
    ['a\r\nSet-Cookie: x\0.pdf', 'a Set-Cookie: x .pdf'],
    ['“Übung” \'3\' "b" 📐.heic', '“Übung” \'3\' "b" 📐.heic'],
    ['invoice\u202Efdp.exe', 'invoice fdp.exe'],
    ['e\u0301te\u0301.png', 'été.png'],
  ])('%j becomes %j', (given, expected) => {
    expect(cleanFileName(given)).toBe(expected);
  });

  it('shortens 300 characters to 120 and keeps the ending', () => {
    const cleaned = cleanFileName(`${'📄'.repeat(300)}.jpeg`);
    expect([...cleaned]).toHaveLength(120);
    expect(cleaned).toMatch(/…\.jpeg$/);
  });
});
