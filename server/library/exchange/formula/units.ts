/** siunitx's numbers and units as plain formulas. */

const prefixes: Record<string, string> = {
  pico: 'p',
  nano: 'n',
  micro: '\\mu ',
  milli: 'm',
  centi: 'c',
  deci: 'd',
  deca: 'da',
  hecto: 'h',
  kilo: 'k',
  mega: 'M',
  giga: 'G',
  tera: 'T',
  femto: 'f',
  peta: 'P',
  kibi: 'Ki',
  mebi: 'Mi',
};
const units: Record<string, string> = {
  metre: 'm',
  meter: 'm',
  gram: 'g',
  kilogram: 'kg',
  second: 's',
  ampere: 'A',
  kelvin: 'K',
  mole: 'mol',
  candela: 'cd',
  newton: 'N',
  joule: 'J',
  watt: 'W',
  pascal: 'Pa',
  hertz: 'Hz',
  volt: 'V',
  coulomb: 'C',
  farad: 'F',
  ohm: '\\Omega ',
  siemens: 'S',
  tesla: 'T',
  weber: 'Wb',
  henry: 'H',
  lumen: 'lm',
  lux: 'lx',
  becquerel: 'Bq',
  gray: 'Gy',
  sievert: 'Sv',
  katal: 'kat',
  radian: 'rad',
  steradian: 'sr',
  degreeCelsius: '{}^\\circ C',
  celsius: '{}^\\circ C',
  degree: '{}^\\circ ',
  arcminute: "'",
  arcsecond: "''",
  percent: '\\%',
  minute: 'min',
  hour: 'h',
  day: 'd',
  litre: 'L',
  liter: 'L',
  tonne: 't',
  electronvolt: 'eV',
  bar: 'bar',
  angstrom: 'Å',
  atomicmassunit: 'u',
  dalton: 'Da',
  hectare: 'ha',
  decibel: 'dB',
  bit: 'bit',
  byte: 'B',
};
/** siunitx's abbreviations that students use. */
const short: Record<string, string> = {
  km: 'km',
  m: 'm',
  cm: 'cm',
  mm: 'mm',
  um: '\\mu m',
  nm: 'nm',
  kg: 'kg',
  g: 'g',
  mg: 'mg',
  s: 's',
  ms: 'ms',
  ns: 'ns',
  Hz: 'Hz',
  kHz: 'kHz',
  MHz: 'MHz',
  GHz: 'GHz',
  N: 'N',
  kN: 'kN',
  J: 'J',
  kJ: 'kJ',
  W: 'W',
  kW: 'kW',
  V: 'V',
  mV: 'mV',
  kV: 'kV',
  A: 'A',
  mA: 'mA',
  K: 'K',
  mol: 'mol',
  eV: 'eV',
  keV: 'keV',
  MeV: 'MeV',
  Pa: 'Pa',
  kPa: 'kPa',
  L: 'L',
  mL: 'mL',
};

/** `2.998e8` → `2.998\times10^{8}`, `3.19 +- 0.05` → `3.19\pm0.05`. */
export function printNumber(value: string): string {
  return value
    .trim()
    .replace(/\+-/g, '\\pm ')
    .replace(/(\d|\.)\s*[eEdD]\s*([+-]?\d+)/g, '$1\\times 10^{$2}')
    .replace(/^[eE]([+-]?\d+)$/, '10^{$1}')
    .replace(/\s*x\s*/g, '\\times ');
}

/** `\metre\per\second\squared` → `\mathrm{m}\,\mathrm{s}^{-2}`. */
export function printUnit(source: string): string {
  const parts: string[] = [];
  let prefix = '';
  let power = 1;
  let isPer = false;
  const close = (text: string) => {
    const exponent = isPer ? -power : power;
    parts.push(`\\mathrm{${prefix}${text}}${exponent === 1 ? '' : `^{${exponent}}`}`);
    prefix = '';
    power = 1;
    isPer = false;
  };
  const raise = (to: string) => {
    const last = parts.pop();
    if (!last) return;
    const found = /\^\{-1\}$/.exec(last);
    parts.push(`${found ? last.slice(0, found.index) : last}^{${found ? '-' : ''}${to}}`);
  };
  for (const [, name, to, rest] of source.matchAll(/\\([A-Za-z]+)(?:\s*\{([^{}]*)\})?|([^\\]+)/g)) {
    if (rest !== undefined) {
      // units as text: m/s^2, kg.m
      const text = rest.trim().replace(/[.~]/g, '\\,');
      if (text !== '') parts.push(`\\mathrm{${text}}`);
    } else if (name === 'per') isPer = true;
    else if (name === 'squared') raise('2');
    else if (name === 'cubed') raise('3');
    else if (name === 'square') power = 2;
    else if (name === 'cubic') power = 3;
    else if (name === 'tothe') raise(to ?? '');
    else if (name === 'raiseto') power = Number(to) || 1;
    else if (Object.hasOwn(prefixes, name!)) prefix += prefixes[name!];
    else
      close(
        Object.hasOwn(units, name!) ? units[name!]! : Object.hasOwn(short, name!) ? short[name!]! : name!,
      );
  }
  return parts.join('\\,');
}
