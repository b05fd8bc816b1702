/**
 * Signs of amssymb's two fonts by code, where Unicode has no character for them, or one that another sign is read as:
 * each gets a character for private use, which `math/symbols.ts` knows.
 */

/** TeX's classes of the signs in these fonts. */
type Atom = 'ord' | 'bin' | 'rel';

export interface AmsSign {
  text: string;
  latex: string;
  atom: Atom;
}

type Row = [code: number, name: string, atom: Atom];

const first: Row[] = [
  [0x05, 'centerdot', 'bin'], [0x06, 'lozenge', 'ord'], [0x07, 'blacklozenge', 'ord'],
  [0x12, 'leftleftarrows', 'rel'], [0x13, 'rightrightarrows', 'rel'], [0x24, 'circeq', 'rel'],
  [0x46, 'bigstar', 'ord'], [0x42, 'vartriangleright', 'rel'], [0x43, 'vartriangleleft', 'rel'],
  [0x4d, 'vartriangle', 'rel'], [0x4f, 'triangledown', 'ord'], [0x5f, 'varpropto', 'rel'],
  [0x60, 'smallsmile', 'rel'], [0x61, 'smallfrown', 'rel'], [0x6e, 'lll', 'rel'], [0x6f, 'ggg', 'rel'],
  [0x7f, 'circleddash', 'bin'],
]; // biome-ignore format: a table
const second: Row[] = [
  [0x00, 'lvertneqq', 'rel'], [0x01, 'gvertneqq', 'rel'], [0x12, 'lnsim', 'rel'], [0x13, 'gnsim', 'rel'],
  [0x1e, 'diagup', 'ord'], [0x1f, 'diagdown', 'ord'], [0x20, 'varsubsetneq', 'rel'], [0x21, 'varsupsetneq', 'rel'],
  [0x26, 'varsubsetneqq', 'rel'], [0x27, 'varsupsetneqq', 'rel'], [0x2e, 'nshortmid', 'rel'],
  [0x2f, 'nshortparallel', 'rel'], [0x3f, 'varnothing', 'ord'], [0x70, 'shortmid', 'rel'],
  [0x71, 'shortparallel', 'rel'], [0x72, 'smallsetminus', 'bin'], [0x73, 'thicksim', 'rel'],
  [0x74, 'thickapprox', 'rel'], [0x76, 'succapprox', 'rel'], [0x77, 'precapprox', 'rel'], [0x7a, 'digamma', 'ord'],
  [0x7b, 'varkappa', 'ord'], [0x7c, 'Bbbk', 'ord'],
]; // biome-ignore format: a table

const signsOf = (rows: readonly Row[], from: number) =>
  new Map<number, AmsSign>(
    rows.map(([code, name, atom]) => [
      code,
      { text: String.fromCodePoint(from + code), latex: `\\${name}`, atom },
    ]),
  );
const signs = { MSAM: signsOf(first, 0xe100), MSBM: signsOf(second, 0xe200) };

export const amsSigns: readonly AmsSign[] = [...signs.MSAM.values(), ...signs.MSBM.values()];

/** Null for codes whose character in the PDF is right. */
export function findAmsSign(fontName: string, code: number): AmsSign | null {
  const family = /^MS[AB]M/.exec(fontName)?.[0] as keyof typeof signs | undefined;
  return (family && signs[family].get(code)) ?? null;
}
