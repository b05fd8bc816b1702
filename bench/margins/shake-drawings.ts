/** Loaded into a test process before its tests (`--import`): changes pictures that are drawn from SVG. */
import process from 'node:process';
import sharp, { type Sharp } from 'sharp';
import { shakePicture, shakes } from './shake.ts';

interface Input {
  options: { input: { buffer?: Buffer } };
}
type ToBuffer = (this: Sharp, ...rest: unknown[]) => Promise<unknown>;

const by = shakes[Number(process.env.SHAKE)]!;
const { prototype } = sharp as unknown as { prototype: { toBuffer: ToBuffer } };
const plainToBuffer = prototype.toBuffer;
prototype.toBuffer = async function toBuffer(...rest) {
  const { options } = this as unknown as Input;
  if (options.input.buffer?.subarray(0, 4).toString() === '<svg') {
    const drawn = (await plainToBuffer.call(sharp(options.input.buffer).png())) as Buffer;
    const shaken = await shakePicture(drawn, by);
    options.input = (sharp(shaken) as unknown as Input).options.input;
  }
  return await plainToBuffer.apply(this, rest);
};
