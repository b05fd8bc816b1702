/** Names a browser and its system for users, from a User-Agent header. */
export interface Device {
  /** E.g. "Firefox on Linux"; "Unknown device" if nothing is known. */
  name: string;
  kind: 'phone' | 'tablet' | 'computer' | 'other';
}

/** The first match counts: browsers also name those they descend from, so the special ones come first. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|OPiOS|Opera)\b/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: [RegExp, string, Device['kind']][] = [
  [/\biPhone\b|\biPod\b/, 'iPhone', 'phone'],
  [/\biPad\b/, 'iPad', 'tablet'],
  [/\bAndroid\b.*\bMobile\b/, 'Android', 'phone'],
  [/\bAndroid\b/, 'Android tablet', 'tablet'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bMacintosh\b|\bMac OS X\b/, 'Mac', 'computer'],
  [/\bLinux\b|\bX11\b/, 'Linux', 'computer'],
];

export function describeDevice(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const browser = browsers.find(([pattern]) => pattern.test(text))?.[1];
  const [, system, kind = 'other'] = systems.find(([pattern]) => pattern.test(text)) ?? [];
  if (browser && system) return { name: `${browser} on ${system}`, kind };
  if (browser || system) return { name: browser ?? system ?? '', kind };
  // a program: its own name, without its version
  const program = /^[A-Za-z][\w.-]{0,30}/.exec(text)?.[0];
  return { name: program ? `A program (${program})` : 'Unknown device', kind: 'other' };
}
