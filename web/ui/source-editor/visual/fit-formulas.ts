/** A formula wider than the page is scaled down: in a text that scrolls, nothing inside should scroll sideways. */
import { ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** One that would have to be smaller than this does scroll. */
const smallest = 0.45;

class FitFormulas {
  update({ view, geometryChanged, viewportChanged, docChanged, selectionSet }: ViewUpdate) {
    if (!geometryChanged && !viewportChanged && !docChanged && !selectionSet) return;
    view.requestMeasure({
      key: this,
      read: () =>
        [...view.contentDOM.querySelectorAll<HTMLElement>('.cm-v-display:not(.cm-v-unset)')].map((dom) => {
          const scale = Number(dom.style.getPropertyValue('--scale') || 1);
          const width = (dom.querySelector('.katex-html')?.scrollWidth ?? 0) / scale;
          const room = dom.clientWidth - 2 * Number.parseFloat(getComputedStyle(dom).paddingLeft);
          const fitting = width > room ? Math.floor((room / width) * 100) / 100 : 1;
          return { dom, scale, fitting: Math.max(smallest, fitting), isTooWide: fitting < smallest };
        }),
      write: (found) => {
        for (const { dom, scale, fitting, isTooWide } of found) {
          if (fitting !== scale) dom.style.setProperty('--scale', String(fitting));
          dom.classList.toggle('cm-v-wide', isTooWide);
        }
      },
    });
  }
}

export const fitFormulas = ViewPlugin.fromClass(FitFormulas);
