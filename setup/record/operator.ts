/** Somebody who uses the product calmly in front of the camera: real presses and keys, and what is said meanwhile. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from '@playwright/test';
import type { Box, Camera, Point } from './camera.ts';
import { easeBetween } from './ease.ts';

/** How long the pointer takes for a way, ms: a base and something for the distance. */
const wayMs = { base: 420, perPixel: 0.5 };
/** How long it rests before it presses. */
const restMs = 220;
const keyMs = 105;
const viewMs = 900;

export interface Operator {
  say: (text: string) => void;
  /** Does nothing for a while, to let somebody read. */
  pause: (ms: number) => Promise<void>;
  moveTo: (target: Locator | Point) => Promise<void>;
  click: (target: Locator | Point) => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Looks closer at a place; without one, at the whole screen. */
  lookAt: (target?: Locator | Box) => Promise<void>;
}

export function createOperator(page: Page, camera: Camera, start: Point): Operator {
  const { recording, now } = camera;
  let at = start;

  const moveTo = async (target: Locator | Point) => {
    const to = 'x' in target ? target : await middleOf(target);
    const from = at;
    const length = wayMs.base + wayMs.perPixel * Math.hypot(to.x - from.x, to.y - from.y);
    const fromMs = now();
    const toMs = fromMs + length;
    recording.ways.push({ fromMs, toMs, from, to });
    while (now() < toMs) {
      const { x, y } = easeBetween(from, to, (now() - fromMs) / length);
      await page.mouse.move(x, y);
      await wait(16);
    }
    await page.mouse.move(to.x, to.y);
    at = to;
  };
  return {
    say: (text) => {
      recording.captions.push({ fromMs: now(), text });
    },
    pause: async (ms) => {
      await wait(ms);
    },
    moveTo,
    click: async (target) => {
      await moveTo(target);
      await wait(restMs);
      recording.presses.push(now());
      await page.mouse.down();
      await wait(70);
      await page.mouse.up();
    },
    type: async (text) => {
      for (const sign of text) {
        await page.keyboard.insertText(sign);
        await wait(keyMs);
      }
    },
    lookAt: async (target) => {
      const whole = { x: 0, y: 0, ...recording.size };
      const box = !target ? whole : 'x' in target ? target : await target.boundingBox();
      if (!box) throw new Error('There is nothing to look at.');
      recording.views.push({ fromMs: now(), toMs: now() + viewMs, box });
    },
  };
}

async function middleOf(target: Locator): Promise<Point> {
  await target.waitFor();
  const box = await target.boundingBox();
  if (!box) throw new Error('There is nothing to point at.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
