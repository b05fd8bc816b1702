/** Tables, listings and algorithms: what long rules enclose, separated from the flow of lines. */

import type { PageObject } from '../blocks/captions.ts';
import { isCode, writeCode } from '../blocks/code.ts';
import type { Box, Glyph, PageModel, Rule } from '../model.ts';
import type { ReadState } from '../state.ts';
import { writeAlgorithm } from './algorithms.ts';
import { findCodeBlocks, findTextListings } from './listings.ts';
import { findRuledRegions } from './ruled-regions.ts';
import { writeTable } from './tables.ts';
import { findColumnTables, findUnruledTables, findVerticalTables } from './unruled.ts';

export interface FoundObjects {
  objects: PageObject[];
  glyphs: Set<Glyph>;
  rules: Set<Rule>;
}

export function findRuledObjects(
  rules: readonly Rule[],
  glyphs: readonly Glyph[],
  model: PageModel,
  state: ReadState,
): FoundObjects {
  const found: FoundObjects = { objects: [], glyphs: new Set(), rules: new Set() };
  const take = (object: PageObject, own: readonly Glyph[], ownRules: readonly Rule[]) => {
    found.objects.push(object);
    for (const g of own) found.glyphs.add(g);
    for (const r of ownRules) found.rules.add(r);
  };
  for (const region of findRuledRegions(rules, glyphs, state.bodySize)) {
    const ownRules = rules.filter(
      (r) =>
        r.x0 > region.box.x0 - 2 &&
        r.x1 < region.box.x1 + 2 &&
        r.y0 > region.box.y0 - 2 &&
        r.y1 < region.box.y1 + 2,
    );
    if (isCode(region.glyphs)) {
      const numbers = glyphs.filter(
        (g) =>
          g.x + g.width < region.box.x0 &&
          g.x > region.box.x0 - 30 &&
          /^\d$/.test(g.text) &&
          g.baseline > region.box.y0 &&
          g.baseline < region.box.y1 &&
          g.size < 0.95 * state.bodySize,
      );
      const frame = region.isFrame ? ',frame=single' : ',frame=lines';
      take(
        { kind: 'code', box: region.box, latex: writeCode(region.glyphs, state, frame, numbers.length > 0) },
        [...region.glyphs, ...numbers],
        ownRules,
      );
      continue;
    }
    const algorithm = writeAlgorithm(region, state);
    if (algorithm) {
      take({ kind: 'algorithm', box: region.box, latex: algorithm }, region.glyphs, ownRules);
      continue;
    }
    // \boxed: the formula is read with its frame
    if (region.isFrame && isFormula(region.glyphs)) continue;
    if (region.isFrame) {
      // a box around prose: its text is read with the rest
      for (const r of ownRules) if (isEdge(r, region.box)) found.rules.add(r);
      continue;
    }
    const table = writeTable(region, state);
    if (table)
      take(
        { kind: 'table', box: region.box, latex: `\\begin{center}\n${table}\n\\end{center}` },
        region.glyphs,
        ownRules,
      );
  }
  for (const listing of findTextListings(
    glyphs.filter((g) => !found.glyphs.has(g)),
    state,
  ))
    take({ kind: 'code', box: listing.box, latex: listing.latex }, listing.glyphs, []);
  const left = glyphs.filter((g) => !found.glyphs.has(g));
  const loose = rules.filter((r) => !found.rules.has(r));
  for (const table of findUnruledTables(left, loose, model, state)) {
    take(
      { kind: 'table', box: table.box, latex: `\\begin{center}\n${table.latex}\n\\end{center}` },
      table.glyphs,
      table.rules,
    );
  }
  for (const table of findVerticalTables(
    glyphs.filter((g) => !found.glyphs.has(g)),
    rules.filter((r) => !found.rules.has(r)),
    state,
  )) {
    take(
      { kind: 'table', box: table.box, latex: `\\begin{center}\n${table.latex}\n\\end{center}` },
      table.glyphs,
      table.rules,
    );
  }
  for (const block of findCodeBlocks(
    glyphs.filter((g) => !found.glyphs.has(g)),
    state,
  )) {
    take({ kind: 'code', box: block.box, latex: block.latex }, block.glyphs, []);
  }
  for (const table of findColumnTables(
    glyphs.filter((g) => !found.glyphs.has(g)),
    model,
    state,
  )) {
    take(
      { kind: 'table', box: table.box, latex: `\\begin{center}\n${table.latex}\n\\end{center}` },
      table.glyphs,
      table.rules,
    );
  }
  for (const rule of loose) {
    const isLong = rule.horizontal && rule.x1 - rule.x0 > 0.6 * model.width && !found.rules.has(rule);
    if (isLong) take({ kind: 'rule', box: rule, latex: '\\noindent\\rule{\\linewidth}{0.4pt}' }, [], [rule]);
  }
  return found;
}

/** Mathematics, with fewer letters of text than signs. */
function isFormula(glyphs: readonly Glyph[]): boolean {
  const letters = glyphs.filter((g) => g.font.family === 'none' && /^\p{L}$/u.test(g.text)).length;
  return glyphs.some((g) => g.font.family !== 'none') && letters < 0.4 * glyphs.length;
}

function isEdge(rule: Rule, box: Box): boolean {
  return rule.horizontal
    ? Math.min(Math.abs(rule.y0 - box.y0), Math.abs(rule.y1 - box.y1)) < 2 &&
        rule.x1 - rule.x0 > 0.9 * (box.x1 - box.x0)
    : Math.min(Math.abs(rule.x0 - box.x0), Math.abs(rule.x1 - box.x1)) < 2;
}
