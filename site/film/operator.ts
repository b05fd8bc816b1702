/** A user who works calmly in front of the camera: real clicks and keys, and the captions. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from '@playwright/test';
import type { Box, Camera, Point } from './camera.ts';
import { easeBetween } from './ease.ts';

/** How long a pointer movement takes, ms: a base, plus time per distance. */
const wayMs = { base: 420, perPixel: 0.5 };
/** How long the pointer rests before a click. */
const restMs = 220;
const pressMs = 70;
const keyMs = 105;
const viewMs = 900;
/**
 * The longest waits that the film shows, ms: where a wait was requested, and where a step took longer than it should.
 */
const longestMs = { requested: 1000, overrun: 200 };

export interface Operator {
  say: (text: string) => void;
  /** Does nothing for a while, so that viewers can read. */
  pause: (ms: number) => Promise<void>;
  /** Waits until the machine shows something, or has done it; the film shows at most `longest` of it. */
  waitFor: (target: Locator | Promise<void>, longest?: number) => Promise<void>;
  moveTo: (target: Locator | Point) => Promise<void>;
  click: (target: Locator | Point) => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Zooms to a box; without one, to the whole screen. */
  lookAt: (box?: Box) => void;
}

export function createOperator(page: Page, camera: Camera, start: Point): Operator {
  const { recording, now } = camera;
  let at = start;
  /** The time up to which everything is accounted for: a gap between two steps is an unrequested wait. */
  let doneMs = now();
  const settle = (longest: number) => {
    const toMs = now();
    recording.waits.push({ fromMs: doneMs, toMs, longestMs: longest });
    doneMs = toMs;
  };
  const spend = async (ms: number) => {
    settle(longestMs.overrun);
    await sleep(ms);
    doneMs += ms;
  };

  const moveTo = async (target: Locator | Point) => {
    const to = 'x' in target ? target : await middleOf(target);
    settle(longestMs.overrun);
    const from = at;
    const length = wayMs.base + wayMs.perPixel * Math.hypot(to.x - from.x, to.y - from.y);
    const fromMs = now();
    recording.ways.push({ fromMs, toMs: fromMs + length, from, to });
    while (now() < fromMs + length) {
      const { x, y } = easeBetween(from, to, (now() - fromMs) / length);
      await page.mouse.move(x, y);
      await sleep(16);
    }
    doneMs = fromMs + length;
    await page.mouse.move(to.x, to.y);
    at = to;
  };
  return {
    say: (text) => {
      settle(longestMs.overrun);
      recording.captions.push({ fromMs: now(), text });
    },
    pause: spend,
    waitFor: async (target, longest = longestMs.requested) => {
      settle(longestMs.overrun);
      await (target instanceof Promise ? target : target.first().waitFor());
      settle(longest);
    },
    moveTo,
    click: async (target) => {
      await moveTo(target);
      await spend(restMs);
      recording.presses.push(now());
      await page.mouse.down();
      await spend(pressMs);
      await page.mouse.up();
    },
    type: async (text) => {
      for (const sign of text) {
        await page.keyboard.insertText(sign);
        await spend(keyMs);
      }
    },
    lookAt: (box = { x: 0, y: 0, ...recording.size }) => {
      settle(longestMs.overrun);
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
