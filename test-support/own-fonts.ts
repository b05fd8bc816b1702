/**
 * Imported first by everything that draws for checks, benchmarks and our pictures: in this process and those it
 * starts, pictures drawn from SVG, Chromium and TeX use the product's own fonts, whatever else the machine has.
 */
import process from 'node:process';
import { fontSetup } from '#typesetting/own-fonts.ts';

process.env.FONTCONFIG_FILE = fontSetup;
