/** MathLive, set up for this site: its fonts are KaTeX's, no sounds, nothing from elsewhere. Load on demand: it is big. */
import 'katex/dist/katex.min.css';
import { convertLatexToSpeakableText, type MacroDictionary, MathfieldElement } from 'mathlive';
import type { Macro } from '../lines/structure.ts';

// KaTeX's style sheet has declared the same fonts under the same names
document.documentElement.style.setProperty('--ML__static-fonts', 'true');
MathfieldElement.fontsDirectory = null;
MathfieldElement.soundsDirectory = null;
MathfieldElement.keypressSound = null;
MathfieldElement.plonkSound = null;
MathfieldElement.computeEngine = null;
MathfieldElement.locale = 'en';

/** These print nothing in the visual editor; they stay where they are. */
const silent: MacroDictionary = {
  label: { def: '', args: 1 },
  nonumber: '',
  notag: '',
  tag: { def: '\\quad(\\text{#1})', args: 1 },
};

export interface Field {
  element: MathfieldElement;
  /** Its LaTeX, as MathLive writes it. */
  read: () => string;
  /** Whether this LaTeX is the same formula, however it is written. */
  isSame: (latex: string) => boolean;
}

interface Options {
  latex: string;
  /** The document's own. */
  macros: readonly Macro[];
}

export function openField(place: HTMLElement, { latex, macros }: Options): Field {
  const element = new MathfieldElement();
  // most can be set only once it is in the page
  place.append(element);
  // also for a formula in the line: large enough to work on
  element.defaultMode = 'math';
  element.menuItems = [];
  element.popoverPolicy = 'off';
  // a document's own commands look as they are defined, and stay as they are written
  element.macros = {
    ...element.macros,
    ...silent,
    ...Object.fromEntries(
      macros
        .filter(({ body }) => body !== '')
        .map(({ name, body, count }) => [name, { def: body, args: count }]),
    ),
  };
  element.smartFence = true;
  nameToggle(element);
  element.setAttribute('aria-label', 'Formula');
  element.setValue(latex, { silenceNotifications: true });
  // until something is changed, MathLive returns what was put in, not what it would write
  element.position = element.lastOffset;
  element.insert('z', { format: 'latex', silenceNotifications: true });
  element.executeCommand('deleteBackward');
  element.resetUndo();
  // nobody deleted anything: screen readers would say so
  const live = element.shadowRoot?.querySelector('[aria-live]');
  if (live) live.textContent = '';
  return {
    element,
    read: () => element.getValue('latex'),
    isSame: (other) => {
      const now = element.getValue('latex');
      const meant = element.getValue('math-ml');
      element.setValue(other, { silenceNotifications: true });
      const isSame = element.getValue('math-ml') === meant;
      element.setValue(now, { silenceNotifications: true });
      return isSame;
    },
  };
}

/** Its picture and its tooltip have the same words, which a screen reader would say twice. */
function nameToggle({ shadowRoot }: MathfieldElement): void {
  const toggle = shadowRoot?.querySelector('[part=virtual-keyboard-toggle]');
  toggle?.setAttribute('aria-label', 'Keyboard on the screen');
  toggle?.querySelector('svg')?.setAttribute('aria-hidden', 'true');
}

/** The keyboard on the screen, placed within this element, which grows as high as it is. @returns the end of it */
export function placeKeyboard(place: HTMLElement): () => void {
  const keyboard = window.mathVirtualKeyboard;
  const fit = () => {
    place.style.height = `${keyboard.boundingRect.height}px`;
    nameKeycaps(place);
  };
  keyboard.container = place;
  keyboard.addEventListener('geometrychange', fit);
  return () => {
    keyboard.hide();
    keyboard.removeEventListener('geometrychange', fit);
    keyboard.container = document.body;
  };
}

/** What keys that show a picture do, by its name. */
const pictured: Record<string, string> = {
  '#svg-delete-backward': 'Delete',
  '#svg-shift': 'Shift',
  '#svg-arrow-left': 'Left',
  '#svg-arrow-right': 'Right',
  '#svg-commit': 'Enter',
  '#svg-tab': 'Next field',
};

/** MathLive's keys are plain elements, many of them without a name: here screen readers get both. */
function nameKeycaps(place: HTMLElement): void {
  for (const key of place.querySelectorAll('.MLK__row > div:not(.separator), .MLK__toolbar [data-tooltip]')) {
    if (key.getAttribute('role') === 'button') continue;
    const picture = key.querySelector('use')?.getAttribute('xlink:href') ?? '';
    const latex = key.getAttribute('aria-label');
    const name =
      key.getAttribute('data-tooltip') ??
      pictured[picture] ??
      // a sign that is given as an entity of HTML
      (latex?.startsWith('&') ? key.textContent : null) ??
      (latex && convertLatexToSpeakableText(latex.replaceAll(/#[?@0]/g, '\\placeholder{}')));
    if (name) key.setAttribute('aria-label', name);
    key.setAttribute('role', 'button');
  }
}
