/**
 * The text over pages' pictures, for selecting and searching: a new page's 300 words take longer to lay out than the
 * page to draw, and slow down every frame. While somebody types, the next PDF replaces them before anybody uses them.
 */

/** The part of pdf.js' page views that lays out a page's text. */
interface TextView {
  textLayer: TextLayer | null;
}

interface TextLayer {
  render(options: object): Promise<void>;
}

interface Events {
  on(name: string, listener: (event: never) => void): void;
}

export interface HeldText {
  /** Pages drawn from now on get their text when it is released. */
  hold(): void;
  /** Lays out what was held, and what is drawn from now on. */
  release(): void;
  /** Gives up what is held: its pages are gone. */
  forget(): void;
}

export function createHeldText(bus: Events): HeldText {
  let isHeld = false;
  /** The last request for each. */
  const held = new Map<TextLayer, () => void>();
  bus.on('pagerender', ({ source }: { source: TextView }) => {
    const layer = source.textLayer;
    if (!isHeld || !layer || Object.hasOwn(layer, 'render')) return;
    const render = layer.render.bind(layer);
    layer.render = async (options) => {
      if (isHeld) await new Promise<void>((resolve) => held.set(layer, resolve));
      // a page that was far out of sight has another one, or none
      if (source.textLayer === layer) await render(options);
    };
  });
  return {
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const start of held.values()) start();
      held.clear();
    },
    forget: () => held.clear(),
  };
}
